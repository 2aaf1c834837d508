import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as yaml from 'yaml';
import type { JsonPath } from '../../src/diagnostics/diagnostic.ts';
import { splitDocuments } from '../../src/load/yaml/splitDocuments.ts';
import { usualReader } from '../../src/load/yaml/usualYaml.ts';
import { yamlFinder } from '../../src/load/yaml/yamlFinder.ts';
import { yamlItems } from '../../src/load/yaml/yamlItems.ts';
import { root } from '../support/compileCase.ts';

/** Usual documents of the fixtures as the items of one List, its other fields before and behind. */
function longList(indent: string): string {
  const folder = join(root, 'fixtures/services');
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name, 'manifests.yaml'), 'utf8'));
  const items: string[] = [];
  let size = 0;
  for (const text of texts) {
    for (const range of splitDocuments(text)) {
      const document = text.slice(range.start, range.end).replace(/^---.*\n|\n\.\.\.\n$/, '');
      const usual = usualReader(document, false)({ start: 0, end: document.length });
      if (size > 160_000 || usual === undefined || usual.value === null || document.startsWith('{')) continue;
      const lines = document.split('\n').map((line) => (line === '' ? '' : `${indent}  ${line}`));
      const first = lines.findIndex((line) => line !== '' && !line.trimStart().startsWith('#'));
      items.push(
        [...lines.slice(0, first), `${indent}- ${lines[first]?.trimStart()}`, ...lines.slice(first + 1)].join('\n'),
      );
      size += document.length;
    }
  }
  return `apiVersion: v1\nitems: # all\n${items.join('')}kind: List\nmetadata:\n  resourceVersion: ""\n`;
}

/** Every path of a value, and one that leads nowhere of each mapping. */
function pathsOf(value: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, one]) =>
    pathsOf(one, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner, [...path, 'nothing'], [...path, 'items', 99_999]];
}

for (const indent of ['', '   ']) {
  test(`places in a long List are those of its whole tree, items indented by ${indent.length}`, () => {
    const text = longList(indent);
    const range = splitDocuments(text)[0];
    assert.ok(range && yamlItems(text, range) !== undefined, 'read by items');
    // An anchor makes the full reader take all of it at once.
    const anchor = 'x: &x 1\n';
    const [own, whole] = [yamlFinder(yaml, text), yamlFinder(yaml, text + anchor)];
    const value = usualReader(text, false)(range)?.value;
    const paths = pathsOf(value);
    assert.ok(paths.length > 5000);
    for (const path of paths) {
      for (const part of ['key', 'value'] as const) {
        assert.deepEqual(own.find(0, path, part), whole.find(0, path, part), JSON.stringify(path));
      }
      assert.equal(own.textAt(0, path), whole.textAt(0, path));
    }
  });
}

test('an empty item has the place that the whole tree gives it', () => {
  const item = `- a: ${'x'.repeat(70_000)}\n`;
  const text = `items:\n${item}- # nothing\n${item}kind: List\n`;
  const [own, whole] = [yamlFinder(yaml, text), yamlFinder(yaml, `${text}x: &x 1\n`)];
  assert.deepEqual(own.find(0, ['items', 1], 'value'), whole.find(0, ['items', 1], 'value'));
  assert.deepEqual(own.find(0, ['items', 2, 'a'], 'value'), whole.find(0, ['items', 2, 'a'], 'value'));
});
