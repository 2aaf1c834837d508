import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDumps, parseIptables } from '../../../src/netfilter/iptables/read/parse.ts';
import { type PlacedRule, placeRules } from '../../../src/netfilter/iptables/read/placeRules.ts';
import { readTables } from '../../../src/netfilter/iptables/read/readTables.ts';

test('inserting, emptying and removing leave what the kernel would hold', () => {
  const text = [
    '*filter',
    ':INPUT ACCEPT [0:0]',
    ':A - [0:0]',
    ':B - [0:0]',
    '-A INPUT -j A',
    '-A A -j ACCEPT',
    '-A B -j ACCEPT',
    '-I INPUT -j B',
    '-I INPUT 2 -j DROP',
    '-I INPUT 99 -j LOG',
    '-F A',
    '-A A -j RETURN',
    '-F B',
    '-X B',
    'COMMIT',
  ];
  const [table] = readTables(text.join('\n'), () => assert.fail());
  assert.deepEqual(
    table?.chains.map(({ name }) => name),
    ['INPUT', 'A'],
  );
  assert.deepEqual(
    table?.rules.filter(({ chain }) => chain === 'INPUT').map(({ line }) => line),
    [8, 9, 5, 10],
  );
  assert.deepEqual(
    table?.rules.filter(({ chain }) => chain !== 'INPUT').map(({ line }) => line),
    [12],
  );
});

test('places come out as if every rule were really inserted', () => {
  let seed = 42;
  const random = (below: number): number => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < 50; round += 1) {
    const placed: PlacedRule[] = [];
    const expected: number[] = [];
    for (let line = 0; line < 40; line += 1) {
      const rule = { chain: 'T', words: [], line };
      const position = 1 + random(line + 3);
      if (random(3) === 0) {
        placed.push({ rule });
        expected.push(line);
      } else {
        placed.push({ rule, position });
        expected.splice(position - 1, 0, line);
      }
    }
    assert.deepEqual(
      placeRules(placed).map(({ line }) => line),
      expected,
    );
  }
});

test('two dumps in a row are two rule sets, each of its family', () => {
  const v4 = '*nat\n-A T -d 10.0.0.1/32 -j DROP\nCOMMIT\n*filter\nCOMMIT\n';
  const v6 = '*nat\n-A T -d fd00::1/128 -j DROP\nCOMMIT\n';
  const dumps = parseDumps(v4 + v6, {}, () => assert.fail());
  assert.deepEqual(
    dumps.map(({ family, tables }) => [family, tables.map(({ name }) => name)]),
    [
      ['ipv4', ['nat', 'filter']],
      ['ipv6', ['nat']],
    ],
  );
});

test('rules without a table line belong to the table that has such chains', () => {
  const tableOf = (text: string): string | undefined => parseIptables(text, {}, () => assert.fail()).tables[0]?.name;
  assert.equal(tableOf('-A KUBE-SEP-ABC -p tcp -j DNAT --to-destination 10.0.0.1:80'), 'nat');
  assert.equal(tableOf('-P POSTROUTING ACCEPT'), 'nat');
  assert.equal(tableOf('-A INPUT -j ACCEPT'), 'filter');
});

test('half a million lines of insertions and flushes come to nothing', { timeout: 60_000 }, () => {
  const lines = ['*filter'];
  for (let at = 0; at < 60_000; at += 1) {
    lines.push('-I INPUT 1 -j DROP', `-I INPUT ${at + 1} -j ACCEPT`, ':X - [0:0]', '-X', '-F');
  }
  const [table] = readTables(lines.join('\n'), () => assert.fail());
  assert.equal(table?.rules.length, 0);
});
