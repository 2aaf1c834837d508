import assert from 'node:assert/strict';
import { it } from 'node:test';
import { oneOfEach } from './drawn.ts';

const all = Array.from({ length: 50 }, (_, at) => at);

it('one of each so many is taken, and one of the rest', () => {
  const parts = oneOfEach(all, 4, 1).map((at) => Math.floor(at / 4));
  assert.deepEqual(parts, [...new Set(all.map((at) => Math.floor(at / 4)))]);
});

it('each has its turn, and no two lists have the same', () => {
  for (const seed of [0, 1, 842_795_803]) {
    const runs = Array.from({ length: 200 }, () => oneOfEach(all, 4, seed));
    assert.equal(new Set(runs.flat()).size, all.length);
    assert.ok(new Set(runs.map((run) => run.join())).size > 190);
  }
});

it('none of none', () => assert.deepEqual(oneOfEach([], 2, 1), []));
