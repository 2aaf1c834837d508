import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';

/** The ways of a packet through rules that ask for sets which nobody gave: each as its mark, and how it ended. */
function waysThrough(...rules: readonly string[]): readonly string[] {
  const text = ['*filter', ':FORWARD ACCEPT [0:0]', ...rules.map((rule) => `-A FORWARD ${rule}`), 'COMMIT', ''].join(
    '\n',
  );
  const tracer = createNodeTracer(readDumps([{ name: 'save.txt', text }], { name: 'save.txt' }));
  const result = tracer.trace({ from: '10.1.0.1', to: '10.2.0.2:80' });
  assert.ok('outcomes' in result);
  return result.outcomes.map(({ first: { flow, end } }) => `${flow.mark} ${end.kind}`).sort();
}

const marks = '-j MARK --set-xmark 0x1/0x1';

test('who asks twice whether a packet is in a set gets the same answer twice', () => {
  for (const set of ['KUBE-CLUSTER-IP dst,dst', 'S dst']) {
    const marked = `-m set --match-set ${set} ${marks}`;
    assert.deepEqual(waysThrough(marked, `-m set --match-set ${set} -j DROP`), ['0 leaves', '1 dropped']);
    assert.deepEqual(waysThrough(marked, `-m set ! --match-set ${set} -j DROP`), ['0 dropped', '1 leaves']);
  }
});

test('another set, the other side and other parts of a key are other questions', () => {
  for (const other of ['KUBE-LOAD-BALANCER dst,dst', 'KUBE-CLUSTER-IP src,dst', 'KUBE-CLUSTER-IP dst']) {
    const ways = waysThrough(
      `-m set --match-set KUBE-CLUSTER-IP dst,dst ${marks}`,
      `-m set --match-set ${other} -j DROP`,
    );
    assert.deepEqual(ways, ['0 dropped', '0 leaves', '1 dropped', '1 leaves'], other);
  }
});

test('a rule that puts the packet into the set changes the answer', () => {
  const adds = '-m set ! --match-set S src -j SET --add-set S src --exist';
  assert.deepEqual(waysThrough(adds, '-m set --match-set S src -j DROP'), ['0 dropped', '0 dropped', '0 leaves']);
});

test('the second part of a key may be the mark, which a rule has changed meanwhile', () => {
  const ways = waysThrough(`-m set --match-set S dst,dst ${marks}`, '-m set --match-set S dst,dst -j DROP');
  assert.deepEqual(ways, ['0 leaves', '1 dropped', '1 leaves']);
});

test('where many ways become one, it stands for both answers', () => {
  const text = [
    '*raw',
    ':PREROUTING ACCEPT [0:0]',
    ':C - [0:0]',
    ...Array.from({ length: 7 }, (_, at) => `-A PREROUTING -m set --match-set S${at} dst -j C`),
    'COMMIT',
    '*filter',
    ':FORWARD ACCEPT [0:0]',
    '-A FORWARD -m set --match-set S0 dst -j DROP',
    '-A FORWARD -m set --match-set S6 dst -j DROP',
    'COMMIT',
    '',
  ].join('\n');
  const tracer = createNodeTracer(readDumps([{ name: 'save.txt', text }], { name: 'save.txt' }));
  const result = tracer.trace({ from: '10.1.0.1', to: '10.2.0.2:80' });
  assert.ok('outcomes' in result);
  assert.deepEqual(new Set(result.outcomes.map(({ first }) => first.end.kind)), new Set(['dropped', 'leaves']));
});
