import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openChangeLog } from '../../src/live/changeLog.ts';
import { type ObjectReader, openMoment } from '../../src/live/openMoment.ts';
import { usualSync } from '../../src/live/usualSync.ts';
import type { SourceObject } from '../../src/load/sourceObject.ts';

function service(name: string, resourceVersion = '1'): SourceObject {
  const value = { metadata: { namespace: 'shop', name, resourceVersion } };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    value,
    origin: { file: 'x', document: 0, path: [] },
  } as unknown as SourceObject;
}

test('a change is known from the reading that shows it, for as long as it is asked for', () => {
  const log = openChangeLog();
  assert.equal(log.beginning(), Number.POSITIVE_INFINITY);
  assert.deepEqual([...log.note([service('web'), service('old')], 1000)], []);
  assert.equal(log.beginning(), 1000);
  assert.deepEqual([...log.note([service('web')], 2000)], ['shop/old']);
  assert.deepEqual([...log.note([service('web', '2')], 3000)], ['shop/web']);
  assert.deepEqual([...log.note([service('web', '2')], 4000)], []);
  assert.equal(log.beginning(), 1000);
  assert.deepEqual([...log.since(2000)], ['shop/old', 'shop/web']);
  assert.deepEqual([...log.since(2001)], ['shop/web']);
  assert.deepEqual([...log.since(3001)], []);
});

test('a second look does not judge what was deleted since the first', async () => {
  const changes = openChangeLog();
  const needs = { needs: ['services'], uses: [] } as const;
  const reader = (objects: readonly SourceObject[]): ObjectReader => ({
    readAll: async () => ({ value: objects, said: [], needs, hasAllPods: false }),
    readServices: async () => objects,
  });
  let reads = 0;
  const readNodes = async () => {
    reads += 1;
  };
  const first = openMoment(reader([service('web'), service('old')]), changes, readNodes);
  await first.readTogether(['n1'], needs);
  assert.deepEqual([...first.changing()], []);
  const second = openMoment(reader([service('web')]), changes, readNodes);
  await second.readTogether(['n1'], needs);
  assert.deepEqual([...second.changing()], ['shop/old']);
  assert.equal(reads, 2);
  // Both looks began right after the first reading.
  assert.equal(await second.untilWritten(), true);
  const third = openMoment(reader([service('web')]), changes, readNodes);
  await third.readTogether(['n1'], needs);
  assert.equal(await third.untilWritten(), third.changing().size > 0);
  // Now the deletion is long ago.
  const fourth = openMoment(reader([service('web')]), changes, readNodes);
  await setTimeout(usualSync);
  await fourth.readTogether(['n1'], needs);
  assert.deepEqual([...fourth.changing()], []);
  assert.equal(await fourth.untilWritten(), false);
  // Something that changes again makes each look a doubtful one.
  const fifth = openMoment(reader([service('web', '2')]), changes, readNodes);
  await fifth.readTogether(['n1'], needs);
  const began = performance.now();
  assert.equal(await fifth.untilWritten(), true);
  assert.ok(performance.now() - began > usualSync / 2);
});

test('without objects, no look is surer than another', async () => {
  const reader: ObjectReader = {
    readAll: async (needs) => ({ value: undefined, said: [], needs, hasAllPods: false }),
    readServices: async () => undefined,
  };
  const moment = openMoment(reader, openChangeLog(), async () => {});
  assert.equal(await moment.untilWritten(), false);
  await moment.readTogether(['n1'], undefined);
  assert.equal(await moment.untilWritten(), false);
});
