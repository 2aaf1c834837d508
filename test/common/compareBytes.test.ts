import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareBytes } from '../../src/common/compareBytes.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';

test('characters beyond the basic plane come after every other one', () => {
  const texts = ['\u{1f600}', '\uffee', 'a', '', 'a-b', 'a/b', 'Z', 'é', '\ue000', 'ab'];
  assert.deepEqual(texts.sort(compareBytes), ['', 'Z', 'a', 'a-b', 'a/b', 'ab', 'é', '\ue000', '\uffee', '\u{1f600}']);
});

test('orders well-formed texts as their UTF-8 bytes', () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom('a', 'b', '-', '\uffff', '\ud7ff', '\ue000'),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
    ),
    maxLength: 5,
  });
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(Math.sign(compareBytes(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { seed, numRuns: 2000 },
  );
});
