import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogue } from '../../src/diagnostics/catalogue.ts';

test('codes are kebab words in order, and say what to do in sentences', () => {
  const codes = Object.keys(catalogue);
  assert.deepEqual(codes, [...codes].sort());
  for (const [code, { summary, remedy }] of Object.entries(catalogue)) {
    assert.match(code, /^[a-z0-9]+(?:-[a-z0-9]+)+$/);
    for (const sentence of [summary, remedy]) assert.match(sentence, /^[\s\S]+[.)]$/, code);
  }
});
