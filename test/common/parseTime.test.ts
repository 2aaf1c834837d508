import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseTime } from '../../src/common/text/parseTime.ts';

const second = 1_000_000_000n;

it('reads points in time, whatever the offset and the fraction', () => {
  const day = BigInt(Date.UTC(2020, 5, 2, 10, 0, 5)) * 1_000_000n;
  assert.equal(parseTime('2020-06-02T10:00:05Z'), day);
  assert.equal(parseTime('2020-06-02t12:00:05+02:00'), day);
  assert.equal(parseTime('2020-06-02T04:30:05-05:30'), day);
  assert.equal(parseTime('2020-06-02T10:00:05.000000001Z'), day + 1n);
  assert.equal(parseTime('2020-06-02T10:00:05.5z'), day + second / 2n);
  assert.equal(parseTime('1969-12-31T23:59:59Z'), -second);
});

it('refuses what is no point in time', () => {
  for (const text of ['', 'yesterday', '2020-06-02', '2020-06-31T00:00:00Z', '2020-13-01T00:00:00Z'])
    assert.equal(parseTime(text), undefined);
  for (const text of [
    '2020-06-02T24:00:00Z',
    '2020-06-02T10:00:05',
    '2020-06-02T10:00:05+25:00',
    ' 2020-06-02T10:00:05Z',
  ])
    assert.equal(parseTime(text), undefined);
});
