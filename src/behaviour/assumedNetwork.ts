import { hostCidr } from '../common/addresses/hostCidr.ts';
import { wholeRange } from '../common/addresses/wholeRange.ts';
import { addressPattern } from '../netfilter/addressRanges.ts';
import { type NetworkFacts, noNetwork } from '../node/networkFacts.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { nodeAddressPerFamily } from '../trace/known/nodeAddressPerFamily.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { addressText } from '../walk/values/text.ts';

/**
 * The network of a node of which only rules are known: lo; eth0 with an address of each family, taken from the rules or
 * from the user if possible; and an interface for Pods if the rules know their networks. Both sides of a comparison get
 * the same node.
 */
export function assumedNetwork(nodes: readonly NodeRules[], given: readonly string[] = []): TraceObjects {
  const seen = nodes.map((node) => proxySeen(node));
  const pods = seen.find(({ podRanges }) => podRanges.length > 0)?.podRanges ?? [];
  const own = nodeAddressPerFamily([...given, ...seen.flatMap(({ nodePortIPs }) => nodePortIPs)]);
  const cidr = (ip: string) => ({ cidr: hostCidr(ip) });
  const network: NetworkFacts = {
    ...noNetwork,
    interfaces: [
      { name: 'lo', addresses: [{ cidr: '127.0.0.1/8' }, { cidr: '::1/128' }] },
      { name: 'eth0', addresses: own.map(cidr) },
      ...(pods.length > 0 ? [{ name: podDevice, addresses: pods.flatMap(firstHost).map(cidr) }] : []),
    ],
    routes: [
      ...(['ipv4', 'ipv6'] as const).map((family) => {
        return route(wholeRange(family), 'eth0');
      }),
      ...pods.map((range) => route(range, podDevice)),
    ],
    sysctls: new Map([
      ['net.ipv4.ip_forward', 1],
      ['net.ipv6.conf.all.forwarding', 1],
      ['net.ipv4.vs.conntrack', 1],
    ]),
  };
  const podWay = pods.length > 0 ? `; Pods (${pods.join(', ')}) by ${podDevice}` : '';
  const assumption = `interfaces: lo, and eth0 with ${own.join(' and ')}${podWay}, as nothing shows them`;
  return { services: [], network, assumed: new Map([['interfaces', assumption]]) };
}

const podDevice = 'cni0';

function route(destination: string, device: string): NetworkFacts['routes'][number] {
  const family = destination.includes(':') ? 'ipv6' : 'ipv4';
  return { family, type: 'unicast', destination, device, table: 'main', metric: 0 };
}

/** The node's end of its Pod network as network plug-ins choose it: the first host of the network. */
function firstHost(range: string): readonly string[] {
  const first = addressPattern(range)?.range.first;
  if (first === undefined) return [];
  return [addressText(typeof first === 'bigint' ? first + 1n : first + 1)];
}
