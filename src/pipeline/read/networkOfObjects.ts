import { type Cidr, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { canonicalIp, familyOf, formatIp, isLoopbackIp } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { readPolicyModel } from '../../model/policyModel.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts, NetworkInterface, NetworkPod, NetworkRoute } from '../../node/networkFacts.ts';
import { planNode } from '../../plan/planNode.ts';
import type { Compiled } from '../compile.ts';

/**
 * The network of the node that objects describe, in the usual layout: one outgoing interface (eth0), a routed pair of
 * interfaces for each Pod here, and the Pods of other nodes behind those nodes. `addresses` are those of kube-ipvs0.
 */
export function networkOfObjects(compiled: Compiled, addresses: readonly string[] = []): NetworkFacts {
  const { model } = compiled;
  const { nodes, pods } = readPolicyModel(compiled.policyManifests);
  const own = model.node.addresses.filter((ip) => !isLoopbackIp(ip));
  const listed = pods
    .filter(({ isHostNetwork }) => !isHostNetwork)
    .map(({ id, ips, node }) => podOf(id, ips, node?.toLowerCase()));
  const known = allPods(listed, compiled, own);
  const here = known.filter(({ node }) => node === model.node.name);
  const interfaceOf = new Map(here.map(({ name }, at) => [name, `veth${at}`]));
  // An address in the node's own range is that of a Pod here, whether or not an object mentions it.
  const unknownPod = interfaceOf.get(here.at(-1)?.name ?? '');
  const ownRanges = unknownPod === undefined ? [] : model.node.podCIDRs.flatMap((cidr) => rangeRoute(cidr, unknownPod));
  const others = nodes.filter(({ name }) => name.toLowerCase() !== model.node.name);
  return {
    node: model.node.name,
    interfaces: interfacesOf(own, [...interfaceOf.values()], addresses),
    routes: [
      ...defaultRoutes,
      ...here.flatMap(({ name, ips }) => ips.map((ip) => hostRoute(ip, interfaceOf.get(name) ?? wayOut))),
      ...ownRanges,
      ...others.flatMap(({ podCIDRs, ips }) => podCIDRs.flatMap((cidr) => nodeRoute(cidr, ips))),
    ],
    rules: [],
    sysctls: sysctlsOf(compiled),
    missingSysctls: new Set(),
    pods: known.map((pod): NetworkPod => {
      const device = interfaceOf.get(pod.name);
      return device === undefined ? pod : { ...pod, interface: device };
    }),
    hosts: others.map(({ name, ips }) => ({ name, ips })),
    seen: [],
  };
}

/** Assumptions for the parts that objects do not show, in the words of a trace. */
export const assumedOfObjects = {
  interfaces: 'interfaces: eth0 and a routed veth for each Pod, as nothing shows them',
  routes: 'routes: from the podCIDRs of Nodes, everything else by eth0',
  sysctls: 'not given; what kube-proxy and every node of a cluster set',
} as const;

const wayOut = 'eth0';

function podOf(name: string, ips: readonly string[], node: string | undefined): NetworkPod {
  return node === undefined ? { name, ips } : { name, ips, node };
}

/** Endpoints whose Pods are not among the objects count as Pods too; and there is one more. */
function allPods(listed: readonly NetworkPod[], compiled: Compiled, own: readonly string[]): readonly NetworkPod[] {
  const { model } = compiled;
  const taken = new Set<string>();
  const pods = [...listed];
  for (const { ips } of listed) for (const ip of ips) taken.add(ip);
  const known = new Set(own.filter((ip) => !taken.has(ip)));
  for (const { endpoints } of model.servicePorts) {
    for (const { ip, isLocal } of endpoints) {
      const address = canonicalIp(ip) ?? ip;
      if (taken.has(address) || known.has(address)) continue;
      taken.add(address);
      pods.push(podOf(address, [address], isLocal ? model.node.name : undefined));
    }
  }
  return [...pods, ...anotherPod(compiled, taken)];
}

/** A Pod of this node without an object: questions about all Pods include it. */
function anotherPod({ model, families }: Compiled, taken: ReadonlySet<string>): readonly NetworkPod[] {
  const ips = families.flatMap((family) => {
    const ranges = [...model.node.podCIDRs, ...model.config.clusterCIDRs].map(parseCidr);
    const range = ranges.find((cidr) => cidr?.family === family);
    const ip = range && lastFree(range, taken);
    return ip === undefined ? [] : [ip];
  });
  return ips.length === 0 ? [] : [{ name: 'another Pod', ips, node: model.node.name }];
}

/** From the end of the range, which Pods reach last. */
function lastFree(range: Cidr, taken: ReadonlySet<string>): string | undefined {
  for (let step = 2; step < 100; step += 1) {
    const ip =
      range.family === 'ipv4'
        ? range.first <= range.last - step && formatIp({ family: 'ipv4', value: range.last - step })
        : range.first <= range.last - BigInt(step) && formatIp({ family: 'ipv6', value: range.last - BigInt(step) });
    if (ip === false) return undefined;
    if (!taken.has(ip)) return ip;
  }
  return undefined;
}

function interfacesOf(
  own: readonly string[],
  pairs: readonly string[],
  dummy: readonly string[],
): readonly NetworkInterface[] {
  const cidr = (ip: string) => ({ cidr: hostCidr(ip) });
  return [
    { name: 'lo', addresses: [{ cidr: '127.0.0.1/8' }, { cidr: '::1/128' }] },
    { name: wayOut, addresses: own.map(cidr) },
    ...pairs.map((name) => ({ name, addresses: [] })),
    ...(dummy.length > 0 ? [{ name: ipvsDevice, addresses: dummy.map(cidr) }] : []),
  ];
}

const defaultRoutes: readonly NetworkRoute[] = [
  { family: 'ipv4', type: 'unicast', destination: '0.0.0.0/0', device: wayOut, table: 'main', metric: 0 },
  { family: 'ipv6', type: 'unicast', destination: '::/0', device: wayOut, table: 'main', metric: 0 },
];

function hostRoute(ip: string, device: string): NetworkRoute {
  const family = familyOf(ip) as Family;
  return { family, type: 'unicast', destination: hostCidr(ip), device, table: 'main', metric: 0 };
}

function rangeRoute(cidr: string, device: string): readonly NetworkRoute[] {
  const family = familyOf(cidr.split('/')[0] ?? '');
  return family === undefined ? [] : [{ family, type: 'unicast', destination: cidr, device, table: 'main', metric: 0 }];
}

function nodeRoute(cidr: string, ips: readonly string[]): readonly NetworkRoute[] {
  const family = familyOf(cidr.split('/')[0] ?? '');
  const via = ips.find((ip) => familyOf(ip) === family);
  if (family === undefined) return [];
  return [
    { family, type: 'unicast', destination: cidr, ...(via && { via }), device: wayOut, table: 'main', metric: 0 },
  ];
}

function sysctlsOf({ families, model, dialect }: Compiled): ReadonlyMap<string, number> {
  const opensLocalhost = families.some((family) => planNode(model, family, dialect.plan).usesLocalhostNodePorts);
  return new Map([
    ['net.ipv4.ip_forward', 1],
    ['net.ipv6.conf.all.forwarding', 1],
    ['net.ipv4.conf.all.route_localnet', opensLocalhost ? 1 : 0],
    ...(modeFacts[model.config.mode].usesIpvs ? [['net.ipv4.vs.conntrack', 1] as const] : []),
  ]);
}
