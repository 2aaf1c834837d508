import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { type SearchRequest, searchInThread } from '../../src/cli/long/searchInThread.ts';
import type { EndpointShape, WantedEndpoints } from '../../src/node/chains/endpointSearch.ts';

const shapes: readonly EndpointShape[] = [{ protocol: 'tcp', rules: [] }];
const wanted = (): WantedEndpoints => ({
  shapes,
  names: ['shop/web'],
  shapeOf: Uint8Array.of(0),
  counts: Int32Array.of(2),
  addresses: '10.0.0.1:80\n10.0.0.2:80\n',
});

/** A thread that answers as it is told. */
function threadWith(answer: (request: SearchRequest) => void) {
  const requests: SearchRequest[] = [];
  const postMessage = (request: SearchRequest) => {
    requests.push(request);
    answer(request);
  };
  return { requests, search: searchInThread({ postMessage } as unknown as Worker) };
}

it('what is looked for in a thread is asked for once, and again in another shape', () => {
  const { requests, search } = threadWith(({ found }) => Atomics.store(found.progress, 0, 2));
  const key = {};
  const first = search(key, shapes, wanted);
  assert.equal(search(key, structuredClone(shapes), wanted), first);
  assert.ok(first.waitFor(2));
  assert.equal(first.names.length, 50);
  assert.equal(first.chains.length, 2);
  assert.notEqual(search(key, [{ protocol: 'udp', rules: [] }], wanted), first);
  assert.notEqual(search({}, shapes, wanted), first);
  assert.equal(requests.length, 3);
});

it('nobody waits for a thread that fails, or twice for one that says nothing', () => {
  const { search: failing } = threadWith(({ found }) => Atomics.store(found.progress, 0, -1));
  assert.equal(failing({}, shapes, wanted).waitFor(1), false);
  const { search: silent } = threadWith(({ found }) => Atomics.store(found.progress, 0, 1));
  const search = silent({}, shapes, wanted);
  assert.ok(search.waitFor(1));
  assert.equal(search.waitFor(2), false);
  assert.equal(search.progress[0], -1);
  assert.equal(search.waitFor(1), false);
});
