import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseGoDuration } from '../../src/common/text/goDuration.ts';

const durations: readonly (readonly [text: string, seconds: number | undefined])[] = [
  ['0', 0],
  ['0s', 0],
  ['300s', 300],
  ['1m30s', 90],
  ['1h0m0s', 3600],
  ['24h', 86400],
  ['1.5h', 5400],
  ['.5m', 30],
  ['1.s', 1],
  ['250ms', 0.25],
  ['-5s', -5],
  ['+5s', 5],
  ['1µs', 0.000001],
  ['', undefined],
  ['-', undefined],
  ['.s', undefined],
  ['5', undefined],
  ['5 s', undefined],
  ['s', undefined],
  ['1d', undefined],
  ['1h-5m', undefined],
  ['5s ', undefined],
  ['1e3s', undefined],
  ['9999999h', undefined],
];

for (const [text, seconds] of durations) {
  test(`${JSON.stringify(text)} is ${seconds === undefined ? 'no duration' : `${seconds} s`}`, () => {
    assert.equal(parseGoDuration(text), seconds);
  });
}
