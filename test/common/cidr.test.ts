import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Cidr,
  cidrAddress,
  cidrContains,
  cidrsOverlap,
  isStrictSubnet,
  parseCidr,
} from '../../src/common/addresses/cidr.ts';

const canonical: readonly (readonly [written: string, text: string, address: string])[] = [
  ['10.0.0.0/8', '10.0.0.0/8', '10.0.0.0'],
  ['10.1.2.3/8', '10.0.0.0/8', '10.1.2.3'],
  ['010.1.2.3/08', '10.0.0.0/8', '10.1.2.3'],
  ['1.2.3.4/32', '1.2.3.4/32', '1.2.3.4'],
  ['255.255.255.255/0', '0.0.0.0/0', '255.255.255.255'],
  ['192.168.255.255/17', '192.168.128.0/17', '192.168.255.255'],
  ['fd00::1/64', 'fd00::/64', 'fd00::1'],
  ['::/0', '::/0', '::'],
  ['fd00::1/128', 'fd00::1/128', 'fd00::1'],
  ['FD00:0:0:FFFF::/63', 'fd00:0:0:fffe::/63', 'fd00:0:0:ffff::'],
  ['::ffff:10.1.2.3/104', '10.0.0.0/8', '10.1.2.3'],
];

for (const [written, text, address] of canonical) {
  test(`${written} is ${text}`, () => {
    assert.equal(parseCidr(written)?.text, text);
    assert.equal(cidrAddress(written), address);
  });
}

for (const text of [
  '',
  '/',
  '10.0.0.0',
  '10.0.0.0/',
  '10.0.0.0/33',
  'fd00::/129',
  '10.0.0.0/-1',
  '10.0.0.0/8 ',
  '10.0/8',
  '/8',
  '::ffff:1.2.3.4/129',
  '1.2.3.4/8/8',
  'primary',
]) {
  test(`${JSON.stringify(text)} is no network`, () => {
    assert.equal(parseCidr(text), undefined);
    assert.equal(cidrAddress(text), undefined);
  });
}

test('ranges', () => {
  const ipv4 = cidr('10.1.0.0/16');
  assert.deepEqual([ipv4.first, ipv4.last], [0x0a010000, 0x0a01ffff]);
  const ipv6 = cidr('fd00::/120');
  assert.deepEqual([ipv6.first, ipv6.last], [0xfd00n << 112n, (0xfd00n << 112n) + 255n]);
});

test('a network contains its addresses only', () => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '9.255.255.255', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['0.0.0.0/0', '::1', false],
    ['fe80::/10', 'febf::1', true],
    ['fe80::/10', 'fec0::1', false],
    ['10.0.0.0/8', '::ffff:10.1.1.1', true],
    ['10.0.0.0/8', 'no', false],
    ['no', '10.0.0.1', false],
  ];
  for (const [network, address, expected] of rows)
    assert.equal(cidrContains(network, address), expected, `${network} ${address}`);
});

test('overlap and strict subnets', () => {
  const rows: readonly (readonly [string, string, boolean, boolean])[] = [
    ['10.1.0.0/16', '10.0.0.0/8', true, true],
    ['10.0.0.0/8', '10.1.0.0/16', true, false],
    ['10.0.0.0/8', '10.0.0.0/8', true, false],
    ['11.0.0.0/8', '10.0.0.0/7', true, true],
    ['12.0.0.0/8', '10.0.0.0/8', false, false],
    ['fd00::/64', '::/0', true, true],
    ['fd00::/64', '0.0.0.0/0', false, false],
  ];
  for (const [inner, outer, overlap, strict] of rows) {
    assert.equal(cidrsOverlap(cidr(inner), cidr(outer)), overlap, `${inner} ${outer}`);
    assert.equal(isStrictSubnet(cidr(inner), cidr(outer)), strict, `${inner} ${outer}`);
  }
});

function cidr(text: string): Cidr {
  return parseCidr(text) ?? assert.fail(text);
}
