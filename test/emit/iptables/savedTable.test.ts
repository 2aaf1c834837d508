import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpointOrder } from '../../../src/emit/iptables/endpointOrder.ts';
import { lineRuns } from '../../../src/emit/iptables/lineRuns.ts';
import { nameStore } from '../../../src/emit/iptables/nameStore.ts';
import { savedTable } from '../../../src/emit/iptables/savedTable.ts';

test('chains stand in byte order, rules of one chain in the order they came', () => {
  const table = savedTable();
  table.declare('KUBE-SVC-B');
  table.declare('KUBE-SEP-AAAAAAAAAAAAAAAA');
  table.push('KUBE-SVC-A', '-A KUBE-SVC-A 1');
  table.push('KUBE-SEP-BBBBBBBBBBBBBBBB', '-A KUBE-SEP-BBBBBBBBBBBBBBBB 1');
  table.push('KUBE-SEP-7AAAAAAAAAAAAAAA', '-A KUBE-SEP-7AAAAAAAAAAAAAAA 1');
  table.push('KUBE-SVC-A', '-A KUBE-SVC-A 2 ä');
  table.push('KUBE-SEP-BBBBBBBBBBBBBBBB', '-A KUBE-SEP-BBBBBBBBBBBBBBBB 2');
  table.push('KUBE-EXT-Z', '-A KUBE-EXT-Z 1');
  table.push('OUTPUT', '-A OUTPUT 1');
  table.push('PREROUTING', '-A PREROUTING 1');
  assert.equal(
    [...table.text('nat', ['PREROUTING', 'INPUT', 'OUTPUT'])].join(''),
    `*nat
:PREROUTING ACCEPT [0:0]
:INPUT ACCEPT [0:0]
:OUTPUT ACCEPT [0:0]
:KUBE-EXT-Z - [0:0]
:KUBE-SEP-7AAAAAAAAAAAAAAA - [0:0]
:KUBE-SEP-BBBBBBBBBBBBBBBB - [0:0]
:KUBE-SVC-A - [0:0]
:KUBE-SVC-B - [0:0]
-A PREROUTING 1
-A OUTPUT 1
-A KUBE-EXT-Z 1
-A KUBE-SEP-7AAAAAAAAAAAAAAA 1
-A KUBE-SEP-BBBBBBBBBBBBBBBB 1
-A KUBE-SEP-BBBBBBBBBBBBBBBB 2
-A KUBE-SVC-A 1
-A KUBE-SVC-A 2 ä
COMMIT
`,
  );
});

test('a table of several blocks of memory, with a line longer than one', () => {
  const table = savedTable();
  const expected: string[] = [];
  for (let at = 0; at < 30; at += 1) {
    const chain = `KUBE-SEP-${String.fromCharCode(0x5a - (at % 26)).repeat(16)}`;
    const line = `-A ${chain} ${at} ${'x'.repeat(at === 7 ? 1 << 20 : 100_000)}`;
    table.push(chain, line);
    expected.push(line);
  }
  const lines = [...table.text('nat', [])].join('').split('\n');
  const rules = lines.filter((line) => line.startsWith('-A'));
  const stable = expected
    .map((line, at) => ({ line, at }))
    .sort((a, b) => {
      const [one, other] = [a.line.slice(0, 28), b.line.slice(0, 28)];
      return one < other ? -1 : one > other ? 1 : a.at - b.at;
    });
  assert.deepEqual(
    rules,
    stable.map(({ line }) => line),
  );
  assert.equal(lines.filter((line) => line.startsWith(':')).length, 26);
});

test('names that begin alike are sorted by their ends, runs of one chain keep their order', () => {
  const ends = ['AAAAAAAAAAAAAAAB', 'AAAAAAAAAAAAAAAA', 'AAAAAAAAAAAAAA7A', 'AAAAAAAAAAAAAAAB', '7AAAAAAAAAAAAAAA'];
  const runs = lineRuns();
  const endpoints = ends.map((end, at) => runs.push(`-A KUBE-SEP-${end} rule ${at}`, true) as number);
  const sorted = endpointOrder(endpoints, runs).map((run) => endpoints.indexOf(run));
  assert.deepEqual(sorted, [4, 2, 1, 0, 3]);
});

test('names are the same in every run over them', () => {
  const names = nameStore();
  const seeds = Array.from({ length: 200 }, (_, at) => `a/b${at}tcp10.0.0.${at}:80`);
  const run = () =>
    [
      names.next(3, (at) => seeds[at] as string).texts(),
      names.next(0, String).texts(),
      names.next(197, (at) => seeds[3 + at] as string).texts(),
      [names.nextHash('a/btcp'), names.nextHash('a/cudp')],
    ].flat();
  const first = run();
  names.rewind();
  assert.deepEqual(run(), first);
  assert.equal(new Set(first).size, 202);
  assert.match(first[199] as string, /^KUBE-SEP-[A-Z2-7]{16}$/);
  assert.match(first[201] as string, /^[A-Z2-7]{16}$/);
});
