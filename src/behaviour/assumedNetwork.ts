import { familyOf } from '../common/ip.ts';
import { deduceTarget } from '../diff/deduceTarget.ts';
import type { NetworkFacts } from '../node/networkFacts.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { TraceObjects } from '../trace/nodeTracer.ts';

/**
 * The network of a node of which rules alone are known: lo, and eth0 with an address of each family, those that the rules
 * show to be the node's, where they do. Both sides of a comparison get the same node.
 */
export function assumedNetwork(nodes: readonly NodeRules[]): TraceObjects {
  const shown = nodes.flatMap((node) => deduceTarget(node).addresses);
  const own = (['ipv4', 'ipv6'] as const).map((family) => {
    return shown.find((ip) => familyOf(ip) === family) ?? madeUp[family];
  });
  const cidr = (ip: string) => ({ cidr: `${ip}/${familyOf(ip) === 'ipv6' ? 128 : 32}` });
  const network: NetworkFacts = {
    interfaces: [
      { name: 'lo', addresses: [{ cidr: '127.0.0.1/8' }, { cidr: '::1/128' }] },
      { name: 'eth0', addresses: own.map(cidr) },
    ],
    routes: (['ipv4', 'ipv6'] as const).map((family) => {
      const destination = family === 'ipv4' ? '0.0.0.0/0' : '::/0';
      return { family, type: 'unicast', destination, device: 'eth0', table: 'main', metric: 0 };
    }),
    rules: [],
    sysctls: new Map([
      ['net.ipv4.ip_forward', 1],
      ['net.ipv6.conf.all.forwarding', 1],
      ['net.ipv4.vs.conntrack', 1],
    ]),
    missingSysctls: new Set(),
    pods: [],
    hosts: [],
    seen: [],
  };
  const said = `interfaces: lo, and eth0 with ${own.join(' and ')}, as nothing shows them`;
  return { services: [], network, assumed: new Map([['interfaces', said]]) };
}

const madeUp = { ipv4: '192.0.2.10', ipv6: '2001:db8:c0de::10' } as const;
