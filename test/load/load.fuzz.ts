import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { renderText } from '../../src/diagnostics/renderText.ts';
import { plainDiagnosticStyle } from '../../src/diagnostics/style.ts';
import { load } from '../../src/load/files/load.ts';
import { readDocuments } from '../../src/load/files/readDocuments.ts';
import { findJsonError } from '../../src/load/json/findJsonError.ts';
import { createLocator } from '../../src/load/locate.ts';
import { root } from '../support/compileCase.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

const folder = join(root, 'fixtures/load');
const samples = readdirSync(folder).flatMap((name) =>
  readdirSync(join(folder, name)).map((file) => readFileSync(join(folder, name, file)).subarray(0, 1500)),
);

const pieces = [
  '---\n',
  '...\n',
  '\t',
  '  ',
  '\r\n',
  '{',
  '}',
  '[',
  ']',
  ': ',
  '- ',
  '? ',
  '&a ',
  '*a',
  '<<: ',
  '!!int ',
  '!x ',
  '"',
  "'",
  '|\n',
  '>-\n',
  '#',
  '%YAML 1.2\n',
  '__proto__: ',
  ',',
  '\0',
  '\x1b',
  '\ufeff',
  '\u202e',
  '\ud800',
  'items: ',
  'kind: List\n',
];

const mutated = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 }))), {
      minLength: 1,
      maxLength: 6,
    }),
  )
  .map(([sample, edits]) => {
    let bytes = sample;
    for (const [at, length, piece] of edits) {
      const start = at % (bytes.length + 1);
      bytes = Buffer.concat([bytes.subarray(0, start), Buffer.from(piece), bytes.subarray(start + length)]);
    }
    return bytes;
  });

test('no text makes reading throw, hang or change a prototype, and every problem can be printed', {
  timeout: 300_000,
}, async () => {
  const property = fc.asyncProperty(mutated, async (bytes) => {
    const diagnostics: Diagnostic[] = [];
    const { objects, sources } = await load(['-'], { recursive: false, stdin: () => bytes }, (diagnostic) =>
      diagnostics.push(diagnostic),
    );
    const places = [...diagnostics.flatMap(({ at }) => at), ...objects.map(({ origin }) => origin)];
    const locate = await createLocator(sources, places);
    const text = renderText(diagnostics, locate, plainDiagnosticStyle);
    assert.doesNotMatch(text, /[\0-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]/u);
    const lines = (sources.textOf('<stdin>') ?? '').split('\n').length;
    for (const origin of places) {
      const place = locate(origin);
      assert.ok(place !== undefined && place.line >= 1 && place.line <= lines && place.column >= 1);
      assert.ok(place.column <= place.lineText.length + 2);
    }
    for (const { value, kind, apiVersion } of objects) {
      assert.equal(Object.getPrototypeOf(value), Object.prototype);
      assert.ok(kind !== '' && apiVersion !== '');
    }
    assert.deepEqual(Object.keys(Object.prototype), []);
  });
  await fc.assert(property, { numRuns: 600, seed: fuzzSeed });
});

const jsonText = fc.json({ maxDepth: 4 }).map((text) => ({ text, value: JSON.parse(text) as unknown }));

test('a JSON text means the same to the YAML reader', async () => {
  const property = fc.asyncProperty(jsonText, async ({ text, value }) => {
    const diagnostics: Diagnostic[] = [];
    // A directive before it makes it YAML.
    const { documents } = await readDocuments(
      ['-'],
      { recursive: false, stdin: () => `%YAML 1.1\n--- ${text}` },
      (diagnostic) => diagnostics.push(diagnostic),
    );
    // YAML has no lone surrogates, and no control characters unescaped; keys may be too long for it.
    const refused = diagnostics.filter(({ severity }) => severity === 'error');
    fc.pre(refused.every(({ code }) => code === 'control-character'));
    assert.deepEqual(JSON.stringify(documents[0]?.value ?? null), JSON.stringify(refused.length > 0 ? null : value));
  });
  await fc.assert(property, { numRuns: 300, seed: fuzzSeed });
});

const jsonEdit = fc
  .tuple(
    jsonText,
    fc.nat(),
    fc.nat(3),
    fc.constantFrom('', '{', '}', '[', ']', ',', ':', '"', '\\', '0', '-', '.', 'e', 't', '\n', '\x01', ' '),
  )
  .map(([{ text }, at, length, piece]) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + piece + text.slice(start + length);
  });

test('the place of a JSON error is told exactly where JSON.parse finds one', () => {
  const property = fc.property(jsonEdit, (text) => {
    const error = findJsonError(text);
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    assert.equal(error === undefined, isJson);
    assert.ok(error === undefined || (error.offset >= 0 && error.offset <= text.length));
  });
  fc.assert(property, { numRuns: 3000, seed: fuzzSeed });
});
