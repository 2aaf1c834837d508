import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalNftRule } from '../../../src/netfilter/nft/canonical/canonicalNftRule.ts';
import { readRule } from '../../../src/netfilter/nft/read/readRule.ts';
import { writeRule } from '../../../src/netfilter/nft/write/writeRule.ts';

/** Rows whose words we leave alone: names of services come from a file of the host. */
const notOurs = new Set(['NT040']);

const rows = readFileSync('fixtures/nft/normal-forms.tsv', 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

for (const [id = '', family = '', input = '', listed = ''] of rows.filter(([id]) => !notOurs.has(id ?? ''))) {
  test(`${id}: ${input}`, () => {
    const rule = canonicalNftRule(readRule(input), family);
    assert.equal(writeRule(rule, 'listing'), listed);
    assert.deepEqual(canonicalNftRule(readRule(listed, true), family), readRule(listed, true));
  });
}

/** Loaded into Linux 6.18 and listed by nft 1.0.6. */
const listed: readonly (readonly [string, string])[] = [
  [
    'ip saddr != { 203.0.113.41 , 203.0.113.43 , 203.0.113.42 } drop',
    'ip saddr != { 203.0.113.41, 203.0.113.42, 203.0.113.43 } drop',
  ],
  ['ip saddr != { 203.0.113.41/32 , 203.0.113.42 } drop', 'ip saddr != { 203.0.113.41-203.0.113.42 } drop'],
  ['ip saddr { 203.0.113.43, 203.0.113.42 , 203.0.113.43} drop', 'ip saddr { 203.0.113.42, 203.0.113.43 } drop'],
  ['ip saddr { 1.2.3.4, 1.2.3.0/24, 5.0.0.0-5.0.0.1 } accept', 'ip saddr { 1.2.3.0/24, 5.0.0.0/31 } accept'],
  ['ip saddr != { 10.1.0.0/16 , 0.0.0.0/0 } drop', 'ip saddr != { 0.0.0.0/0 } drop'],
  ['ip saddr != { 203.0.113.7/32 } drop', 'ip saddr != 203.0.113.7 drop'],
  ['tcp dport { 80-90, 100, 91 } accept', 'tcp dport { 80-91, 100 } accept'],
  ['tcp dport { 82, 80, 81} drop', 'tcp dport { 80, 81, 82 } drop'],
  ['meta mark and 0xffffffff == 5 drop', 'meta mark 0x00000005 drop'],
  ['mark and 0x80000000 == 0 return', 'meta mark 0x00000000/1 return'],
  ['meta mark & 0x80000000 != 0 drop', 'meta mark != 0x00000000/1 drop'],
  ['meta mark & 0xff000000 == 0x01000000 counter', 'meta mark 0x01000000/8 counter'],
  ['meta mark set 5', 'meta mark set 0x00000005'],
  ['meta mark set mark and 0xff or 0x1', 'meta mark set meta mark & 0x000000ff | 0x00000001'],
  ['meta mark set mark and 0xff0 xor 0x1', 'meta mark set meta mark & 0x00000ff1 | 0x00000001'],
  ['meta mark set ct mark and 0xff0 or 0x1', 'meta mark set ct mark & 0x00000ff1 | 0x00000001'],
  ['ct state related,new,established drop', 'ct state established,related,new drop'],
  ['ct state { new, established } accept', 'ct state { established, new } accept'],
  ['ip saddr vmap { 1.2.3.5 : accept, 1.2.3.4 : drop }', 'ip saddr vmap { 1.2.3.4 : drop, 1.2.3.5 : accept }'],
  [
    'ip saddr . ip daddr { 1.2.3.4 . 5.6.7.8, 1.2.3.4 . 4.6.7.8 } accept',
    'ip saddr . ip daddr { 1.2.3.4 . 4.6.7.8, 1.2.3.4 . 5.6.7.8 } accept',
  ],
  ['ip saddr 010.1.2.3 drop', 'ip saddr 8.1.2.3 drop'],
  ['ip6 saddr 2001:DB8:0:0:1:0:0:1 drop', 'ip6 saddr 2001:db8::1:0:0:1 drop'],
  ['ip6 saddr ::ffff:1.2.3.4 drop', 'ip6 saddr ::ffff:1.2.3.4 drop'],
  ['ip6 saddr fd00::1/128 drop', 'ip6 saddr fd00::1 drop'],
  ['dnat to [fd00:0:0::1]:80', 'dnat to [fd00::1]:80'],
  [
    'meta l4proto tcp dnat ip addr . port to numgen random mod 2 map { 0 : 10.0.0.1 . 80 , 1 : 010.0.0.2 . 8080 }',
    'meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.0.0.1 . 80, 1 : 8.0.0.2 . 8080 }',
  ],
  [
    'dnat ip6 addr . port to numgen random mod 1 map { 0 : fd00:0::1 . 80 } random',
    'dnat ip6 to numgen random mod 1 map { 0 : fd00::1 . 80 } random',
  ],
  [
    'dnat to numgen inc mod 2 map { 1 : 10.0.0.2 , 0 : 10.0.0.1 }',
    'dnat to numgen inc mod 2 map { 0 : 10.0.0.1, 1 : 10.0.0.2 }',
  ],
  ['dnat ip to ip daddr . tcp dport map @m', 'dnat ip to ip daddr . tcp dport map @m'],
  [
    'mark and 0x80000000 != 0 mark set mark xor 0x80000000 masquerade fully-random',
    'meta mark != 0x00000000/1 meta mark set meta mark ^ 0x80000000 masquerade fully-random',
  ],
  ['iif cbr0 goto c', 'iif "cbr0" goto c'],
  ['meta l4proto tcp reject with tcp reset', 'reject with tcp reset'],
  ['limit rate 10/second burst 5 packets drop', 'limit rate 10/second drop'],
  ['log prefix "a b" level warn', 'log prefix "a b"'],
];

for (const [input, expected] of listed) {
  test(`${input} is listed as ${expected}`, () => {
    const canonical = canonicalNftRule(readRule(input), 'ip');
    assert.equal(writeRule(canonical, 'listing'), expected);
    assert.deepEqual(canonicalNftRule(canonical, 'ip'), canonical);
  });
}
