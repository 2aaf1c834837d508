import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likewise, likewiseText } from '../../src/aid/likewise.ts';

const said = (text: string, node?: string, like = '') => ({ text, ...(node !== undefined && { of: { node, like } }) });
const shown = (list: readonly ReturnType<typeof said>[], isAlone?: (group: readonly object[]) => boolean) =>
  likewise(list, isAlone).map(({ one, others }) => [one.text, ...others].join(' '));

test('sentences about several nodes are one, where the first of them is', () => {
  const list = [
    said('a', 'n1', 'x'),
    said('cluster'),
    said('b', 'n2', 'y'),
    said('c', 'n2', 'x'),
    said('d', 'n3', 'x'),
  ];
  assert.deepEqual(shown(list), ['a n2 n3', 'cluster', 'b']);
});

test('two sentences about one node stay two, also if they are alike', () => {
  const twice = ['n1', 'n2'].flatMap((node) => [
    said(`IPv4 of ${node}`, node, 'x'),
    said(`IPv6 of ${node}`, node, 'x'),
  ]);
  assert.deepEqual(shown(twice), ['IPv4 of n1 n2', 'IPv6 of n1 n2']);
  assert.deepEqual(shown([said('same'), said('same')]), ['same', 'same']);
});

test('few stay apart, in their order', () => {
  const list = [said('a', 'n1', 'x'), said('b', 'n2', 'y'), said('c', 'n3', 'x')];
  assert.deepEqual(
    shown(list, (group) => group.length <= 3),
    ['a', 'b', 'c'],
  );
});

test('of many others some are named', () => {
  assert.equal(likewiseText([]), undefined);
  assert.equal(likewiseText(['n2']), 'likewise: n2');
  assert.equal(likewiseText('n2 n3 n4 n5 n6 n7 n8 n9'.split(' ')), 'likewise: n2, n3, n4, n5, n6, n7 and 2 more');
});
