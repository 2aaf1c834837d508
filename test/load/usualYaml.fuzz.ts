import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { textMemory } from '../../src/load/textMemory.ts';
import { splitDocuments } from '../../src/load/yaml/splitDocuments.ts';
import { usualReader } from '../../src/load/yaml/usualYaml.ts';
import { root } from '../support/compileCase.ts';
import { compareYaml } from '../support/fullYaml.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 1500);

const indent = fc.constantFrom('', '', '', ' ', '  ', '  ', '    ', '   ', '      ');
const opener = fc.constantFrom('', '', '', '- ', '- ', '-  ', '- - ', '? ', ': ', '-');
const key = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'on',
  'y',
  '1',
  '0x1f',
  '~',
  '"q"',
  "'s'",
  'f:x',
  'k k',
  '<<',
  '.',
  'é',
  '__proto__',
  '12:30',
  '"a\\nb"',
  '{}',
  'a#b',
  "it's",
  'a ',
  '-x',
  '1.50',
  '',
);
const colon = fc.constantFrom(':', ': ', ': ', ': ', ':  ', ' : ', '', ':x');
const word = fc.constantFrom(
  'text',
  'two words',
  '12',
  '-1',
  '0o17',
  '010',
  '1e3',
  '.5',
  'yes',
  'n',
  '~',
  'null',
  '.inf',
  '12:30',
  '10.0.0.1',
  '10.0.0.1:80',
  '2024-05-01T08:00:00Z',
  'a: b',
  'a:b',
  'x #c',
  'x#c',
  '#c',
  '"a"',
  '"a b" #c',
  '"a\\tb\\u00e9"',
  '"\\x41\\e\\_\\N\\L\\0\\a\\v\\P"',
  '"\\q"',
  '"a\tb"',
  'a\tb',
  "'\t'",
  'a\t# c',
  '[a,\tb]',
  '"open',
  'close"',
  "'it''s'",
  "'open",
  "close'",
  '"a\\',
  '"\\ud83d\\ude00"',
  '"" ',
  "''",
  '[]',
  '{}',
  '[a, b]',
  '[a, "b"]',
  '{a: b}',
  '{a: b, c: [1, {d: e}]}',
  '{"a":1}',
  '{"a": 1, "b":"c"}',
  '[a,b]',
  '[',
  ']',
  '{a: b',
  '[a',
  ', b]',
  '{a, b}',
  '[a: b]',
  '[a:b, http://x/y]',
  '[-1, - 2]',
  '[ ]',
  '[a b]',
  '{a: }',
  '{ "a" : 1 }',
  '[?a]',
  '[1,]',
  '{a: b,}',
  "{'a':1}",
  '["a"b]',
  '[a]b',
  '{a: b} c',
  '|',
  '>',
  '|-',
  '>-',
  '|+',
  '>+',
  '|2',
  '|2-',
  '>1',
  '| #c',
  '|x',
  '&a x',
  '*a',
  '!!str 1',
  '!x',
  '%y',
  '@z',
  '`q',
  '? x',
  '- x',
  '-',
  '--- x',
  '---',
  '...',
  ':x',
  ',x',
  'é',
  '\u2028',
  '😀',
  'a  b',
  'a ',
  '  ',
  '\\n',
  '"a  \\',
  '<<',
  '=',
);
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(indent, opener, key, colon, word).map((parts) => parts.join('')) },
  { weight: 4, arbitrary: fc.tuple(indent, opener, key).map((parts) => `${parts.join('')}:`) },
  { weight: 4, arbitrary: fc.tuple(indent, opener, word).map((parts) => parts.join('')) },
  { weight: 2, arbitrary: indent },
  {
    weight: 1,
    arbitrary: fc.constantFrom('# c', '  # c', '---', '...', '--- # c', '--- |', '%YAML 1.1', '\t', 'a: \tb', '\ta'),
  },
);
const made = fc
  .tuple(fc.array(line, { minLength: 1, maxLength: 9 }), fc.constantFrom('\n', '\n', '', '\n\n', ' '))
  .map(([lines, end]) => lines.join('\n') + end);

test('made-up YAML: the usual reader says what the full one does, or nothing', () => {
  const property = fc.property(made, fc.boolean(), (text, keeps) => {
    assert.deepEqual(compareYaml(text, keeps).different, []);
  });
  fc.assert(property, { numRuns: runs, seed: fuzzSeed });
});

const samples = ['fixtures/load', 'fixtures/services', 'fixtures/networkpolicy'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ya?ml$/.test(file))
    .map((file) => readFileSync(join(root, folder, file), 'utf8').slice(0, 1200)),
);
const pieces = [
  '\n',
  ' ',
  '  ',
  '- ',
  ': ',
  ':',
  '#',
  ' #',
  '"',
  "'",
  '[',
  ']',
  '{',
  '}',
  ', ',
  '|\n',
  '>-\n',
  '\\',
  '&a ',
  '*a',
  '!',
  '?',
  '%',
  '\t',
  '\r',
  '~',
  '\u00a0',
  '...\n',
  '---\n',
  'x',
  '1',
  '<<: ',
];
const edited = fc
  .tuple(
    fc.constantFrom(...samples),
    fc.array(fc.tuple(fc.nat(), fc.nat(4), fc.constantFrom(...pieces)), { minLength: 1, maxLength: 4 }),
  )
  .map(([sample, edits]) => {
    let text = sample;
    for (const [at, length, piece] of edits) {
      const start = at % (text.length + 1);
      text = text.slice(0, start) + piece + text.slice(start + length);
    }
    return text;
  });

test('edited manifests: the same', () => {
  const property = fc.property(edited, (text) => {
    assert.deepEqual(compareYaml(text).different, []);
  });
  fc.assert(property, { numRuns: Math.ceil(runs / 3), seed: fuzzSeed });
});

const column = fc.constantFrom('', '  ', '    ');
const itemLines = fc.array(fc.tuple(fc.constantFrom('', '', '  ', '    '), line), { minLength: 1, maxLength: 3 });
const list = fc
  .tuple(column, fc.array(itemLines, { minLength: 1, maxLength: 6 }), fc.constantFrom('', 'kind: List\n', '# c\n'))
  .map(([deep, items, end]) => {
    const lines = items.flatMap(([first, ...more]) => [
      `${deep}- ${first?.[1] ?? ''}`,
      ...more.map(([own, text]) => `${deep}${own}${text}`),
    ]);
    return { lines: ['items:', ...lines], end };
  });

test('edited Lists: items that were read before are what a first reading says', () => {
  const property = fc.property(list, list, fc.nat(), fc.boolean(), ({ lines, end }, other, at, keeps) => {
    const place = 1 + (at % lines.length);
    const edited = [...lines.slice(0, place), ...other.lines.slice(1, 3), ...lines.slice(place + (at % 2))];
    const memory = textMemory();
    for (const text of [lines, edited, other.lines, edited, lines].map((one) => `${one.join('\n')}\n${end}`)) {
      for (const range of splitDocuments(text)) {
        assert.deepEqual(usualReader(text, keeps, memory)(range), usualReader(text, keeps)(range));
      }
      memory.recognized([]);
    }
  });
  fc.assert(property, { numRuns: runs, seed: fuzzSeed });
});
