import assert from 'node:assert/strict';
import { it } from 'node:test';
import { eventsBetween, type SeenState } from '../../../src/cli/watch/seenState.ts';

const state = (summary: string, ...keys: readonly string[]): SeenState => ({
  lines: new Map(keys.map((key) => [key, `text of ${key}`])),
  summary,
  code: 0,
});

it('a watch says what is new and what has gone, and the summary when it changes', () => {
  const texts = (before: SeenState | undefined, now: SeenState) =>
    eventsBetween(before, now).map(({ event, text }) => `${event} ${text}`);
  assert.deepEqual(texts(undefined, state('in order')), ['state in order']);
  assert.deepEqual(texts(state('in order'), state('in order')), []);
  assert.deepEqual(texts(state('in order', 'a'), state('broken', 'b')), [
    'new text of b',
    'gone text of a',
    'state broken',
  ]);
});
