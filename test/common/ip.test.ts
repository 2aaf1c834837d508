import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  canonicalIp,
  compareIps,
  familyOf,
  formatIp,
  hasLeadingZero,
  ipv4Number,
  parseIp,
} from '../../src/common/addresses/ip.ts';

const canonical: readonly (readonly [written: string, canonical: string, family: string])[] = [
  ['10.0.0.1', '10.0.0.1', 'ipv4'],
  ['0.0.0.0', '0.0.0.0', 'ipv4'],
  ['255.255.255.255', '255.255.255.255', 'ipv4'],
  ['010.096.000.001', '10.96.0.1', 'ipv4'],
  ['10.0.0.0000000000000000001', '10.0.0.1', 'ipv4'],
  ['::', '::', 'ipv6'],
  ['::1', '::1', 'ipv6'],
  ['fd00::', 'fd00::', 'ipv6'],
  ['FD00:0:0:0:0:0:0:A', 'fd00::a', 'ipv6'],
  ['fd00:0db8:0:0:1:0:0:1', 'fd00:db8::1:0:0:1', 'ipv6'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1', 'ipv6'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0', 'ipv6'],
  ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8', 'ipv6'],
  ['::ffff:1.2.3.4', '1.2.3.4', 'ipv4'],
  ['::ffff:102:304', '1.2.3.4', 'ipv4'],
  ['::1.2.3.4', '::102:304', 'ipv6'],
  ['64:ff9b::192.0.2.1', '64:ff9b::c000:201', 'ipv6'],
  ['1:2:3:4:5:6:1.2.3.4', '1:2:3:4:5:6:102:304', 'ipv6'],
];

for (const [written, expected, family] of canonical) {
  test(`${written} is ${expected}`, () => {
    assert.equal(canonicalIp(written), expected);
    assert.equal(familyOf(written), family);
    const parsed = parseIp(written);
    assert.equal(parsed?.family, family);
    assert.equal(parsed && formatIp(parsed), expected);
  });
}

const refused = [
  '',
  '1',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.',
  '.1.2.3',
  '1..2.3',
  '256.1.1.1',
  '1.2.3.4 ',
  ' 1.2.3.4',
  '1.2.3.4/32',
  '0x1.2.3.4',
  '-1.2.3.4',
  ':',
  ':::',
  ':1',
  '1:',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '::1:2:3:4:5:6:7:8',
  '12345::',
  'g::',
  'fe80::1%eth0',
  '1:2:3:4:5:6:7:1.2.3.4',
  '::1.2.3',
  '::a.2.3.4',
  '::1.2.3.4:5',
  '1.2.3.4::',
  '１.2.3.4',
];

for (const text of refused) {
  test(`${JSON.stringify(text)} is not an address`, () => {
    assert.equal(parseIp(text), undefined);
    assert.equal(canonicalIp(text), undefined);
    assert.equal(familyOf(text), undefined);
  });
}

test('numbers of addresses', () => {
  assert.deepEqual(parseIp('10.0.0.1'), { family: 'ipv4', value: 0x0a000001 });
  assert.deepEqual(parseIp('255.255.255.255'), { family: 'ipv4', value: 0xffffffff });
  assert.deepEqual(parseIp('fd00::1'), { family: 'ipv6', value: 0xfd00_0000_0000_0000_0000_0000_0000_0001n });
});

test('numbers of IPv4 addresses alone', () => {
  assert.deepEqual(
    ['0.0.0.0', '10.0.0.1', '::ffff:1.2.3.4', '::1', '1.2.3', ''].map(ipv4Number),
    [0, 0x0a000001, -1, -1, -1, -1],
  );
});

test('addresses are ordered by family, then by number', () => {
  const texts = ['fd00::1', '10.0.0.10', '::1', '9.0.0.1', '10.0.0.9', '200.0.0.1'];
  const sorted = texts
    .map((text) => parseIp(text) ?? assert.fail(text))
    .sort(compareIps)
    .map(formatIp);
  assert.deepEqual(sorted, ['9.0.0.1', '10.0.0.9', '10.0.0.10', '200.0.0.1', '::1', 'fd00::1']);
});

test('leading zeros are seen in IPv4 only', () => {
  for (const text of ['010.0.0.1', '10.00.0.1', '10.0.0.01', '10.0.0.00'])
    assert.equal(hasLeadingZero(text), true, text);
  for (const text of ['10.0.0.1', '0.0.0.0', '100.200.0.10', 'fd00::01', '::0'])
    assert.equal(hasLeadingZero(text), false, text);
});
