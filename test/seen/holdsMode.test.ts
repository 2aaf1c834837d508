import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { holdsMode, showsFamily } from '../../src/seen/modes/holdsMode.ts';

/** What a node shows whose iptables-save failed: nothing of it may look as if all were well. */
const sets = {
  name: 'ipset.save',
  text: 'create blocked hash:ip family inet hashsize 1024 maxelem 65536 bucketsize 12 initval 0x1\n',
  kind: 'ipset',
} as const;
const addresses = { name: 'addresses.txt', text: 'lo UNKNOWN 127.0.0.1/8\ncni0 UNKNOWN 10.244.1.1/24\n' };
const rules4 = { name: 'iptables.v4.save', text: '*nat\n:PREROUTING ACCEPT [0:0]\nCOMMIT\n' };

test('sets and addresses hold nothing of iptables mode', () => {
  const without = readDumps([sets, addresses], { name: 'n1' });
  assert.equal(holdsMode(without, 'iptables'), false);
  const node = readDumps([sets, addresses, rules4], { name: 'n1', family: 'ipv4' });
  assert.equal(holdsMode(node, 'iptables'), true);
  assert.equal(showsFamily(node, 'iptables', 'ipv4'), true);
  assert.equal(showsFamily(node, 'iptables', 'ipv6'), false);
});
