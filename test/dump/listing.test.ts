import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { linesOf } from '../../src/node/lines/chainLines.ts';
import { listingProblems } from '../support/listingProblems.ts';

const folder = 'fixtures/iptables/listings';

// The same rules of the same kernel as iptables-save and iptables -L print them.
for (const name of readdirSync(folder).filter((file) => file.endsWith('.txt'))) {
  test(`${name} is read as the rules that iptables-save prints`, () => {
    const [tool = '', options = ''] = name.split('.');
    const save = readFileSync(`${folder}/${tool}.save`, 'utf8');
    const listing = readFileSync(`${folder}/${name}`, 'utf8');
    assert.deepEqual(listingProblems(save, listing, tool.startsWith('ip6') ? 'ipv6' : 'ipv4', options), []);
  });
}

function rulesRead(text: string, chain: string): readonly string[] {
  const { iptables } = readDumps([{ name: 'l.txt', text }], { name: 'n' });
  return iptables.flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ chains }) =>
      [...chains.values()].filter(({ name }) => name === chain).flatMap((one) => [...linesOf(one)]),
    ),
  );
}

test('ip6tables before 1.8.9 leaves the column of the options empty', () => {
  const listing = [
    'Chain KUBE-SERVICES (2 references)',
    'target     prot opt source               destination         ',
    'KUBE-SVC-AAAAAAAAAAAAAAAA  tcp      ::/0                 fd00::1              /* d/web cluster IP */ tcp dpt:80',
    'RETURN     all      anywhere             anywhere            ',
  ].join('\n');
  assert.deepEqual(rulesRead(listing, 'KUBE-SERVICES'), [
    '-A KUBE-SERVICES -d fd00::1/128 -p tcp -m comment --comment "d/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA',
    '-A KUBE-SERVICES -j RETURN',
  ]);
});

test('rows without the line of their chain go where only they can stand', () => {
  const listing = [
    'KUBE-SVC-AAAAAAAAAAAAAAAA  tcp  --  anywhere             10.96.0.7            /* d/web:http cluster IP */ tcp dpt:http',
    'KUBE-EXT-AAAAAAAAAAAAAAAA  tcp  --  anywhere             anywhere             /* d/web:http */ tcp dpt:30080',
  ].join('\n');
  assert.deepEqual(rulesRead(listing, 'KUBE-SERVICES'), [
    '-A KUBE-SERVICES -d 10.96.0.7/32 -p tcp -m comment --comment "d/web:http cluster IP" -m tcp --dport 80 -j KUBE-SVC-AAAAAAAAAAAAAAAA',
  ]);
  assert.deepEqual(rulesRead(listing, 'KUBE-NODEPORTS'), [
    '-A KUBE-NODEPORTS -p tcp -m comment --comment "d/web:http" -m tcp --dport 30080 -j KUBE-EXT-AAAAAAAAAAAAAAAA',
  ]);
});

test('a row that says something unknown is reported, not shortened', () => {
  const listing = [
    'Chain FORWARD (policy ACCEPT)',
    'target     prot opt source               destination         ',
    'DROP       all  --  anywhere             anywhere             FANCY match 7',
    'DNAT       all  --  anywhere             anywhere            ',
  ].join('\n');
  const { unread } = readDumps([{ name: 'l.txt', text: listing }], { name: 'n' });
  assert.deepEqual(
    unread.map(({ line }) => line),
    [3, 4],
  );
});
