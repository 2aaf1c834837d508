import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiAnswer, ClusterApi } from '../../src/live/clusterApi.ts';
import { lineSplitter } from '../../src/live/kubectl/lineSplitter.ts';
import { liveKinds } from '../../src/live/lists/liveKinds.ts';
import { watchKind } from '../../src/live/watch/watchKind.ts';

/** A server whose answers are written down; behind the last one the watch is over. */
async function watch(starts: readonly ApiAnswer[], connections: readonly (readonly string[] | ApiAnswer)[]) {
  const ending = new AbortController();
  const asked: string[] = [];
  const said: string[] = [];
  const list = [...starts];
  const open = [...connections];
  const api: ClusterApi = {
    name: 'cluster test',
    get: async (path) => {
      asked.push(path);
      return list.shift() ?? assert.fail(`nobody answers ${path}`);
    },
    follow: async (path, line) => {
      asked.push(/resourceVersion=(\w+)/.exec(path)?.[1] ?? path);
      const next = open.shift();
      if (open.length === 0) ending.abort();
      if (next === undefined || 'kind' in next) return (next as ApiAnswer) ?? { kind: 'found', text: '' };
      for (const text of next as readonly string[]) line(text);
      return { kind: 'found', text: '' };
    },
  };
  await watchKind(
    api,
    liveKinds.services,
    undefined,
    { changed: () => said.push('changed'), state: ({ resource }, problem) => said.push(`${resource}: ${problem}`) },
    ending.signal,
  );
  return { asked, said };
}

const listAt = (version: string): ApiAnswer => ({
  kind: 'found',
  text: JSON.stringify({ metadata: { resourceVersion: version }, items: [] }),
});
const event = (type: string, version: string) =>
  JSON.stringify({ type, object: { metadata: { name: 'web', resourceVersion: version } } });
const gone = JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } });

test('a connection that ends is taken up where it was, bookmarks count and are no change', async () => {
  const { asked, said } = await watch(
    [listAt('5')],
    [[event('ADDED', '6'), event('BOOKMARK', '9')], [event('DELETED', '10')], []],
  );
  assert.deepEqual(asked, ['/api/v1/services?limit=1', '5', '9', '10']);
  assert.deepEqual(said, ['changed', 'changed']);
});

test('where the place is too old the list says where to begin, and what was missed counts as a change', async () => {
  const { asked, said } = await watch([listAt('5'), listAt('20')], [[gone], [event('MODIFIED', '21')]]);
  assert.deepEqual(asked, ['/api/v1/services?limit=1', '5', '/api/v1/services?limit=1', '20']);
  assert.deepEqual(said, ['changed', 'changed']);
  const refused = await watch([listAt('5'), listAt('20')], [{ kind: 'refused', reason: 'Expired', message: '' }, []]);
  assert.deepEqual(refused.said, ['changed']);
});

test('a server that is gone is said once, and so is that it is back', async () => {
  const down: ApiAnswer = { kind: 'failed', message: 'connection refused' };
  const { said } = await watch([listAt('5')], [down, [event('MODIFIED', '6')], []]);
  assert.deepEqual(said, ['services: connection refused', 'services: undefined', 'changed']);
});

test('a kind that the server does not have is not followed', async () => {
  const { asked } = await watch([{ kind: 'refused', reason: 'NotFound', message: '' }], [[]]);
  assert.deepEqual(asked, ['/api/v1/services?limit=1']);
});

test('lines come together from any pieces', () => {
  const bytes = Buffer.from('eins\nzwölf\n\nlast');
  for (let size = 1; size <= bytes.length; size += 1) {
    const lines: string[] = [];
    const take = lineSplitter((line) => lines.push(line));
    for (let at = 0; at < bytes.length; at += size) take(bytes.subarray(at, at + size));
    assert.deepEqual(lines, ['eins', 'zwölf', '']);
  }
});
