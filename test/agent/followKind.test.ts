import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createObjectStore } from '../../src/agent/follow/objectStore.ts';
import { followKind } from '../../src/live/follow/followKind.ts';
import { liveKinds } from '../../src/live/lists/liveKinds.ts';
import { fakeCluster, nodesPath, servicesPath, slicesPath } from './fakeCluster.ts';
import { fillCluster, nodeObject, putService } from './fakeNode.ts';

/** Follows Services until a state is reached; gives what was told. */
async function follow(script: (cluster: ReturnType<typeof fakeCluster>) => readonly (() => void)[]) {
  const cluster = fakeCluster();
  fillCluster(cluster, 1);
  const steps = [...script(cluster)];
  const ending = new AbortController();
  const told: string[] = [];
  let isListing = false;
  const next = () => {
    const step = steps.shift();
    if (step === undefined) ending.abort();
    else setImmediate(step);
  };
  await followKind(
    cluster.api,
    { of: liveKinds.services },
    {
      listing: () => {
        isListing = true;
        told.push('listing');
      },
      item: (_, { metadata }) => {
        told.push(`item ${(metadata as { readonly name: string }).name}`);
        if (!isListing) next();
      },
      listed: () => {
        isListing = false;
        told.push('listed');
        next();
      },
      removed: ({ metadata }) => {
        told.push(`removed ${(metadata as { readonly name: string }).name}`);
        next();
      },
      state: ({ kind }) => {
        if (told.at(-1) !== kind) told.push(kind);
        if (kind === 'lost') setImmediate(() => cluster.setDown(false));
      },
    },
    ending.signal,
  );
  return { told, cluster };
}

test('first the list, then each change', async () => {
  const { told } = await follow((cluster) => [
    () => putService(cluster, 'web-2', 2),
    () => cluster.remove(servicesPath, 'web-1', 'shop'),
  ]);
  assert.deepEqual(told, ['listing', 'item web-1', 'listed', 'followed', 'item web-2', 'removed web-1']);
});

test('after a connection was lost the watch goes on where it was, without another list', async () => {
  const { told, cluster } = await follow((own) => [
    () => {
      own.setDown(true);
      putService(own, 'web-2', 2);
    },
  ]);
  assert.deepEqual(told, ['listing', 'item web-1', 'listed', 'followed', 'lost', 'followed', 'item web-2']);
  assert.equal(cluster.asked.filter((path) => path.startsWith(`${servicesPath}?limit`)).length, 1);
});

test('a place that the server has forgotten is a new list', async () => {
  const { told } = await follow((cluster) => [() => cluster.forget()]);
  assert.deepEqual(told.filter((text) => text === 'listed').length, 2);
});

test('what no rule depends on is no change', () => {
  let now = 0;
  const store = createObjectStore(() => now);
  const node = { kind: 'Node', apiVersion: 'v1' };
  store.put('nodes', node, nodeObject);
  const before = store.revision();
  now = 5;
  const beat = { type: 'Ready', status: 'True', lastHeartbeatTime: 'later' };
  store.put('nodes', node, { ...nodeObject, status: { ...(nodeObject.status as object), conditions: [beat] } });
  assert.equal(store.revision(), before);
  assert.equal(store.changedAt('ground'), 0);
});

test('a list that stands for what was missed takes away what it does not have', () => {
  let now = 0;
  const store = createObjectStore(() => now);
  const cluster = fakeCluster();
  fillCluster(cluster, 2);
  const service = (name: string) => ({ metadata: { name, namespace: 'shop' }, spec: {} });
  const as = { kind: 'Service', apiVersion: 'v1' };
  for (const name of ['one', 'two']) store.put('services', as, service(name));
  now = 10;
  store.listing('services');
  store.put('services', as, service('two'));
  store.listed('services');
  assert.deepEqual(
    [...store.all()].map(({ key }) => key),
    ['shop/two'],
  );
  assert.deepEqual([...store.changedSince(10)], ['shop/one']);
});

test('a slice that goes over to another Service changes both', () => {
  let now = 0;
  const store = createObjectStore(() => now);
  const slice = (owner: string) => ({
    metadata: { name: 'x', namespace: 'shop', labels: { 'kubernetes.io/service-name': owner } },
    endpoints: [],
  });
  const as = { kind: 'EndpointSlice', apiVersion: 'discovery.k8s.io/v1' };
  store.put(slicesPath, as, slice('one'));
  now = 3;
  store.put(slicesPath, as, slice('two'));
  assert.deepEqual([...store.changedSince(3)].sort(), ['shop/one', 'shop/two']);
  assert.ok(nodesPath.startsWith('/api'));
});
