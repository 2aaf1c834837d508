import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as yaml from 'yaml';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import { findBadTab } from '../../src/load/yaml/findBadTab.ts';

/** What sigs.k8s.io/yaml 1.4 says of each. */
const accepted: readonly string[] = [
  'a: b\t# c\n',
  'a: b \t # c\n',
  'a:\n  b: c\n    \t# x\n  d: e\n',
  'a:\t# c\n  b: c\n',
  'a:\t\n  b: c\n',
  'a:\tb\n',
  '- a\t# x\n',
  '- a\n \t# x\n- b\n',
  '- a\n  \t# x\n- b\n',
  'a: "b"\t# c\n',
  'a: {b: c}\t# d\n',
  'a: [b, # x\n\t# y\n c]\n',
  'a: |\t# x\n  b\n',
  'a: b\n  c\td\n',
  '"a"\t: b\n',
  'a: &x\tb\n',
  'a: b\n--- \t# x\nc: d\n',
  'a: b\t\n',
];

const refused: readonly string[] = [
  'a: b\n\t# c\n',
  'a: b\n\t\nc: d\n',
  'a: b\nc: d\n\t# x\n',
  'a:\n  b: c\n  \t# x\n',
  '\t# c\na: b\n',
  '# c\n\t# d\na: b\n',
  '-\ta\n',
  '- \ta\n',
  '-\t# x\n  a\n',
  'a: "b"\n\t# c\n',
  'a: {b: c}\n\t# d\n',
  'a: |\n  b\n\t\nc: d\n',
  'a: |\n  b\n# c\n\t# d\n',
  '? a\n:\tb\n',
  '?\ta\n: b\n',
  'a: b # x\n\t# y\n',
  'a: # x\n  \t# y\n  b: c\n',
  'a:\n  b: "x"\n  \t# c\n  d: 1\n',
  'a:\n  - b: 1\n    \t# c\n    d: 2\n',
  'a:\n  - b: 1\n\t# c\n  - d: 2\n',
  'a: &x b\nc: *x\n\t# y\n',
];

for (const text of accepted) {
  test(`${JSON.stringify(text)}: as in kubectl, accepted`, () => assert.equal(findBadTab(yaml, text), undefined));
}

for (const text of refused) {
  test(`${JSON.stringify(text)}: as in kubectl, refused`, async () => {
    const said: Diagnostic[] = [];
    await load(['-'], { recursive: false, stdin: () => text }, (diagnostic) => said.push(diagnostic));
    assert.deepEqual(
      said.map(({ code }) => code),
      ['yaml-syntax'],
    );
  });
}

test('the place is that of the tab', () => {
  assert.equal(findBadTab(yaml, 'a: b\n\t# c\n'), 5);
  assert.equal(findBadTab(yaml, 'a:\n  - "b"\n  \t# c\n'), 13);
});
