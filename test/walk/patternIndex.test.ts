import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cut, type ValueSet } from '../../src/common/ranges/valueSet.ts';
import { indexPatterns, lookUp } from '../../src/walk/values/patternIndex.ts';

describe('looking up a set of values among ranges', () => {
  it('takes as many pieces as there are ranges, however many these are', () => {
    const ranges = Array.from({ length: 200 }, (_, at) => ({ first: at * 100, last: at * 100 + 49 }));
    const index = indexPatterns(ranges.map((range, at) => ({ key: [range], value: at })));
    const all: ValueSet = [{ first: 0, last: 1_000_000 }];
    const found = lookUp<ValueSet, number>(
      index,
      all,
      (subject) => subject,
      (subject, _, values) => cut(subject, values).inside,
    );
    const hit = found.filter(({ elements }) => elements.length > 0);
    assert.deepEqual(
      hit.map(({ subject, elements }) => [subject, elements]),
      ranges.map((range, at) => [[range], [at]]),
    );
    const missed = found.filter(({ elements }) => elements.length === 0);
    assert.equal(missed.length, 1);
    assert.deepEqual(missed[0]?.subject[0], { first: 50, last: 99 });
  });
});
