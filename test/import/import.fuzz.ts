import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { importRules, lint, loadTexts, printImported } from '../../src/public/core.ts';
import { orThrow, told } from '../../src/public/result.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { recordedNodes } from './recordedNodes.ts';

/** `FUZZ_IMPORTS` says how many changed dumps are read. */
const runs = Number(process.env.FUZZ_IMPORTS ?? 150);

/** Small ones of every kind and version. */
const nodes = [...recordedNodes()].filter(({ files }) => {
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  return files.length > 0 && size < 20_000;
});

/** What names, comments, addresses and numbers are replaced by. */
const hostile = [
  '"',
  "'",
  '\\',
  '\u001b[2J',
  '\u202e',
  '*/',
  '...',
  '---',
  '# x',
  ': ',
  '- a',
  '{}',
  '!!js/function',
  '&a',
  '*a',
  'null',
  'yes',
  '0x10',
  '1e3',
  '.inf',
  '__proto__',
  'constructor/prototype',
  'kube-system/kube-dns:dns',
  'A/B:C',
  'a/b:c:d',
  'default/',
  '/',
  'x'.repeat(300),
  '-1',
  '0',
  '65536',
  '99999999999999999999',
  '0.0.0.0',
  '255.255.255.255/0',
  '010.1.1.1',
  '127.0.0.1',
  '::',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  '10.96.0.1-10.96.0.9',
  '中文',
];

type Change =
  | { readonly kind: 'word'; readonly line: number; readonly word: number; readonly by: number }
  | { readonly kind: 'drop' | 'double' | 'move'; readonly line: number; readonly to: number }
  | { readonly kind: 'swap'; readonly line: number; readonly word: number; readonly to: number };

const place = fc.nat({ max: 1_000_000 });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('word' as const), line: place, word: place, by: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('drop', 'double', 'move'), line: place, to: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap' as const), line: place, word: place, to: place }) },
) as fc.Arbitrary<Change>;

/** The text with all changes, one after the other. */
function changed(text: string, changes: readonly Change[]): string {
  const lines = text.split('\n');
  for (const one of changes) {
    const at = one.line % lines.length;
    const line = lines[at] ?? '';
    const words = line.split(/(?<=[ \t,:./"])/);
    if (one.kind === 'word') {
      const word = one.word % words.length;
      const end = /[ \t]$/.exec(words[word] ?? '')?.[0] ?? '';
      words[word] = `${hostile[one.by % hostile.length]}${end}`;
      lines[at] = words.join('');
    } else if (one.kind === 'swap') {
      const other = (lines[one.to % lines.length] ?? '').split(/(?<=[ \t,:./"])/);
      words[one.word % words.length] = other[one.word % other.length] ?? '';
      lines[at] = words.join('');
    } else if (one.kind === 'drop') lines.splice(at, 1);
    else if (one.kind === 'double') lines.splice(one.to % lines.length, 0, line);
    else lines.splice(one.to % lines.length, 0, ...lines.splice(at, 1));
  }
  return lines.join('\n');
}

it(`whatever a dump says, manifests read back from it are legal, and always the same (seed ${seed})`, async () => {
  let read = 0;
  const property = fc.asyncProperty(
    fc.nat({ max: nodes.length - 1 }),
    fc.array(change, { minLength: 1, maxLength: 12 }),
    async (at, changes) => {
      const { files = [] } = nodes[at] ?? {};
      const dump = readDumps(
        files.map(({ name, text }) => ({ name, text: changed(text, changes) })),
        { name: 'dump' },
      );
      const said: Diagnostic[] = [];
      const imported = await told(importRules(dump, {}), (one) => said.push(one));
      if (imported === undefined) {
        assert.ok(said.some(({ severity }) => severity === 'error'));
        return;
      }
      read += 1;
      const [yaml, json] = [
        [...(await orThrow(printImported(imported)))].join(''),
        [...(await orThrow(printImported(imported, { form: 'json' })))].join(''),
      ];
      const again = await told(importRules(dump, {}), () => {});
      assert.equal([...(await orThrow(printImported(again ?? assert.fail())))].join(''), yaml);
      // Line feeds alone: a terminal is safe from what names say.
      assert.doesNotMatch(yaml, /[\p{Cc}\u202e](?<!\n)/u);
      for (const [name, text] of [
        ['dump.yaml', yaml],
        ['dump.json', json],
      ] as const) {
        const problems: Diagnostic[] = [];
        const report = (one: Diagnostic) => problems.push(one);
        const { objects } = await told(loadTexts([{ name, text }]), report);
        await told(lint(objects, { unknownFields: 'strict' }), report);
        const errors = problems.filter(({ severity }) => severity === 'error');
        assert.deepEqual(
          errors.map(({ code, message }) => `${code}: ${message}`),
          [],
        );
      }
    },
  );
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
    seed,
    numRuns: runs,
  });
  const [at = 0, changes] = counterexample ?? [];
  const where = `${nodes[at]?.name}, ${JSON.stringify(changes)}, path ${counterexamplePath}`;
  assert.ok(!failed, `${where}: ${errorInstance instanceof Error ? errorInstance.stack : errorInstance}`);
  assert.ok(read > runs / 2, `${read} read`);
});
