import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { lookAgain } from '../../src/live/lookAgain.ts';
import { type Live, openLive } from '../../src/live/openLive.ts';

/** A cluster in which something always changes, and that is read in no time. */
function changing(real: Live): Live {
  return { ...real, nextLook: async () => changing(real.again()) };
}

test('of many broken nodes, some are looked at four times, and the others twice', async () => {
  const clock = mock.method(performance, 'now', () => 0);
  const live = changing(openLive({}));
  const looks = async () =>
    (await lookAgain(
      1,
      live,
      () => true,
      async (_, before) => before + 1,
    )) as number;
  const taken: number[] = [];
  for (let node = 0; node < 8; node += 1) taken.push(await looks());
  assert.deepEqual(taken, [4, 4, 4, 4, 4, 4, 2, 2]);
  clock.mock.mockImplementation(() => 61_000);
  assert.equal(await looks(), 4);
  clock.mock.restore();
});

test('a fault that is gone is not looked for again', async () => {
  const live = changing(openLive({}));
  const seen: number[] = [];
  const answer = await lookAgain(
    2,
    live,
    (left) => left > 0,
    async (_, left) => {
      seen.push(left);
      return left - 1;
    },
  );
  assert.deepEqual([answer, seen], [0, [2, 1]]);
});

test('what could not be read again leaves the answer before', async () => {
  const live = changing(openLive({}));
  assert.equal(
    await lookAgain(
      'found',
      live,
      () => true,
      async () => undefined,
    ),
    'found',
  );
  assert.equal(
    await lookAgain(
      'found',
      undefined,
      () => true,
      async () => 'never',
    ),
    'found',
  );
});
