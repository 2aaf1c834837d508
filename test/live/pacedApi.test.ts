import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiAnswer, ClusterApi } from '../../src/live/clusterApi.ts';
import { pacedApi } from '../../src/live/pacedApi.ts';

/** A server whose answers are given one by one. */
function openServer() {
  const asked: { readonly path: string; readonly answer: (answer: ApiAnswer) => void }[] = [];
  const get = (path: string) => new Promise<ApiAnswer>((answer) => asked.push({ path, answer }));
  const api: ClusterApi = { name: 'cluster test', get, follow: (path) => get(path) };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    api: pacedApi(api),
    paths: async () => {
      await turn();
      return asked.map(({ path }) => path);
    },
    answer: (path: string, answer: ApiAnswer) => asked.find((one) => one.path === path)?.answer(answer),
  };
}

const found: ApiAnswer = { kind: 'found', text: '{}' };
const failed: ApiAnswer = { kind: 'failed', message: 'connection refused' };

test('the first request goes alone, four at once afterwards, in order', async () => {
  const { api, paths, answer } = openServer();
  const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((path) => api.get(path)));
  assert.deepEqual(await paths(), ['a']);
  answer('a', found);
  assert.deepEqual(await paths(), ['a', 'b', 'c', 'd', 'e']);
  answer('d', { kind: 'refused', reason: 'Forbidden', message: 'no' });
  assert.deepEqual(await paths(), ['a', 'b', 'c', 'd', 'e', 'f']);
  for (const path of ['b', 'c', 'e', 'f']) answer(path, found);
  assert.deepEqual(await paths(), ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  answer('g', found);
  assert.deepEqual(
    (await all).map(({ kind }) => kind),
    ['found', 'found', 'found', 'refused', 'found', 'found', 'found'],
  );
  void api.get('h');
  void api.get('i');
  assert.deepEqual((await paths()).slice(-2), ['h', 'i']);
});

test('one failure is enough for all that wait, and who asks later tries again', async () => {
  const { api, paths, answer } = openServer();
  const all = Promise.all([api.get('a'), api.get('b'), api.get('c')]);
  await paths();
  answer('a', failed);
  assert.deepEqual(await all, [failed, failed, failed]);
  const later = Promise.all([api.get('d'), api.get('e')]);
  assert.deepEqual(await paths(), ['a', 'd']);
  answer('d', found);
  await paths();
  answer('e', failed);
  assert.deepEqual(await later, [found, failed]);
  void api.get('f');
  assert.deepEqual((await paths()).at(-1), 'f');
});
