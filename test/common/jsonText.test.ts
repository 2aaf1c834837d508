import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText } from '../../src/common/text/jsonText.ts';

function written(value: object): string {
  return [...jsonText(value)].join('');
}

test('the pieces are what JSON.stringify writes', () => {
  const values: readonly object[] = [
    {},
    [],
    { a: undefined },
    { a: [], b: {}, c: [[], [{}]], d: null, e: [undefined, null, 1, 'x', true] },
    [1, [2, { three: [3, 4], 'f"o\nur': { five: 5 } }]],
    { late: { toJSON: () => ({ made: ['when', { it: 'is written' }] }) }, list: [{ toJSON: () => [1, 2] }] },
  ];
  for (const value of values) assert.equal(written(value), `${JSON.stringify(value, null, 2)}\n`);
});

test('of any size, and beside lists that are no arrays', () => {
  const nested = (depth: number, width: number): unknown =>
    depth === 0
      ? width
      : Array.from({ length: width }, (_, at) => ({ at, inner: nested(depth - 1, width), no: undefined }));
  for (const [depth, width] of [
    [1, 98],
    [1, 99],
    [1, 100],
    [1, 400],
    [3, 4],
    [3, 7],
    [6, 3],
  ] as const) {
    const value = { first: nested(depth, width), empty: {}, last: [nested(1, 3)] };
    assert.equal(written(value), `${JSON.stringify(value, null, 2)}\n`);
  }
  const small = { deep: [{ set: new Set([1, { two: 2 }]) }], plain: [1] };
  const expected = { deep: [{ set: [1, { two: 2 }] }], plain: [1] };
  assert.equal(written(small), `${JSON.stringify(expected, null, 2)}\n`);
});

test('whatever can be gone through is a list', () => {
  function* counted() {
    yield { toJSON: () => ({ one: 1 }) };
    yield undefined;
    yield [2];
  }
  const expected = { list: [{ one: 1 }, null, [2]], none: [] };
  assert.equal(written({ list: counted(), none: new Set() }), `${JSON.stringify(expected, null, 2)}\n`);
});

test('things with toJSON are made one after the other', () => {
  let made = 0;
  const list = Array.from({ length: 5 }, () => ({
    toJSON: () => {
      made += 1;
      return made;
    },
  }));
  const pieces = jsonText({ list });
  const seen: number[] = [];
  for (const _piece of pieces) seen.push(made);
  assert.deepEqual([...new Set(seen)], [0, 1, 2, 3, 4, 5]);
});

test('what a terminal would act on is escaped, in names and in values', () => {
  const text = written({ 'a\u009b31m': 'b\u202e\u009b', list: ['\u001b[2J'] });
  assert.doesNotMatch(text, /[\u0080-\u009f\u202e\u001b]/);
  assert.deepEqual(JSON.parse(text), { 'a\u009b31m': 'b\u202e\u009b', list: ['\u001b[2J'] });
});
