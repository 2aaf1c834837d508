import assert from 'node:assert/strict';
import { it } from 'node:test';
import { otherNode } from '../../src/diff/otherNode.ts';

const noteOf = (
  ip: { ipv4: string; ipv6: string },
  shown: readonly string[],
  nodePortAddresses: readonly string[] = [],
) => otherNode({ node: { name: 'n1', ip }, config: { nodePortAddresses } }, shown);

it('a dump with node ports on addresses of another node is told', () => {
  const ip = { ipv4: '10.10.110.192', ipv6: '::1' };
  assert.equal(
    noteOf(ip, ['172.17.0.1', '10.10.110.190', '2001:db8::1']),
    'node ports of the dump are on 172.17.0.1, 10.10.110.190, and node n1 has 10.10.110.192: the dump may be of another node',
  );
  assert.match(
    noteOf({ ipv4: '192.0.2.1', ipv6: '2001:db8::2' }, ['192.0.2.1', '2001:db8::1']) ?? '',
    /has 2001:db8::2/,
  );
});

it('and nothing where that cannot be known', () => {
  const ip = { ipv4: '10.10.110.192', ipv6: '::1' };
  assert.equal(noteOf(ip, ['172.17.0.1', '10.10.110.192']), undefined);
  assert.equal(noteOf(ip, ['127.0.0.1']), undefined);
  assert.equal(noteOf(ip, []), undefined);
  assert.equal(noteOf(ip, ['172.17.0.1'], ['172.17.0.0/16']), undefined);
  assert.equal(noteOf({ ipv4: '127.0.0.1', ipv6: '::1' }, ['172.17.0.1', '2001:db8::1']), undefined);
});
