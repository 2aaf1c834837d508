import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';

/** Chains of a device see what comes and goes by it before and behind all others, of both families. */
const ingress = `table netdev guard {
	chain in {
		type filter hook ingress device "eth0" priority filter; policy accept;
		ip saddr 203.0.113.9 drop
		ip6 saddr 2001:db8::9 drop
	}
	chain out {
		type filter hook egress devices = { "eth0", "eth1" } priority filter; policy accept;
		ip daddr 198.51.100.7 drop
	}
}
table inet here {
	chain in {
		type filter hook ingress device "eth1" priority filter; policy accept;
		ip saddr 203.0.113.10 drop
	}
}
`;
const addresses = `1: lo: <LOOPBACK,UP> mtu 65536
    inet 127.0.0.1/8 scope host lo
2: eth0: <BROADCAST,UP> mtu 1500
    inet 192.168.10.1/24 scope global eth0
    inet6 fd00:10::1/64 scope global
3: eth1: <BROADCAST,UP> mtu 1500
    inet 192.168.11.1/24 scope global eth1
`;
const routes =
  'default via 192.168.10.254 dev eth0\n192.168.10.0/24 dev eth0 scope link src 192.168.10.1\n192.168.11.0/24 dev eth1 scope link src 192.168.11.1\n';
const tracer = createNodeTracer(
  readDumps(
    [
      { name: 'nft.txt', text: ingress },
      { name: 'addresses.txt', text: addresses, kind: 'addresses' },
      { name: 'routes.txt', text: routes, kind: 'routes' },
    ],
    { name: 'n1' },
  ),
);

describe('chains of a device', () => {
  for (const [what, packet, end] of [
    ['drop what comes in by it', { from: '203.0.113.9', to: '192.168.10.1:443', in: 'eth0' }, 'dropped'],
    ['drop what comes in by it, IPv6', { from: '2001:db8::9', to: '[fd00:10::1]:443', in: 'eth0' }, 'dropped'],
    ['do not see what comes in by another', { from: '203.0.113.9', to: '192.168.11.1:443', in: 'eth1' }, 'delivered'],
    ['of a table of both families drop too', { from: '203.0.113.10', to: '192.168.11.1:443', in: 'eth1' }, 'dropped'],
    ['let others pass', { from: '203.0.113.8', to: '192.168.10.1:443', in: 'eth0' }, 'delivered'],
    ['drop what goes out by it', { from: 'node', to: '198.51.100.7:443' }, 'dropped'],
    ['let others out', { from: 'node', to: '198.51.100.8:443' }, 'leaves'],
  ] as const) {
    it(what, () => {
      const result = tracer.trace({ proto: 'tcp', ...packet });
      assert.ok('outcomes' in result);
      assert.deepEqual(
        result.outcomes.map(({ first }) => first.end.kind),
        [end],
      );
    });
  }
});
