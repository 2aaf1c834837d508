import { type Cidr, isWithin, parseCidr } from '../../common/addresses/cidr.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { compareCidrs, families, hostLength } from './nodeEntries.ts';
import type { RouteNode } from './routeNode.ts';
import type { RoutesOptions } from './routesOptions.ts';

import type { NetworkOverlap } from './routesPlan.ts';

type Networks = Pick<RoutesOptions, 'nodeSubnets' | 'clusterCIDRs' | 'serviceCIDRs'>;

/** One range of a cluster's three networks. */
interface Range {
  readonly network: 'node' | 'pod' | 'service';
  readonly cidr: Cidr;
}

interface NodeRange {
  readonly node: string;
  readonly cidr: Cidr;
}

/**
 * Where the networks of nodes, Pods and Services share addresses, two nodes have the same Pod addresses, or a node's
 * range lies outside of the Pod network. Each is reported.
 */
export function networkOverlaps(
  nodes: readonly RouteNode[],
  options: Networks,
  report: Report,
): readonly NetworkOverlap[] {
  const podRanges: readonly NodeRange[] = nodes.flatMap(({ name, podCIDRs }) =>
    families.flatMap((family) => {
      const cidr = podCIDRs[family];
      return cidr === undefined ? [] : [{ node: name, cidr }];
    }),
  );
  const overlaps = [
    ...betweenNetworks(nodes, podRanges, options),
    ...betweenNodes(podRanges),
    ...outside(podRanges, options.clusterCIDRs),
  ];
  for (const overlap of overlaps) reportOverlap(overlap, report);
  return overlaps;
}

function betweenNetworks(
  nodes: readonly RouteNode[],
  podRanges: readonly NodeRange[],
  { nodeSubnets, clusterCIDRs, serviceCIDRs }: Networks,
): readonly NetworkOverlap[] {
  const nodeRanges =
    nodeSubnets.length > 0
      ? nodeSubnets
      : nodes.flatMap(({ ips }) =>
          families
            .map((family) => parseCidr(`${ips[family]}/${hostLength(family)}`))
            .filter((cidr) => cidr !== undefined),
        );
  const pods = clusterCIDRs.length > 0 ? clusterCIDRs : podRanges.map(({ cidr }) => cidr);
  const ranges: readonly Range[] = [
    ...distinct('node', nodeRanges),
    ...distinct('pod', pods),
    ...distinct('service', serviceCIDRs),
  ];
  const found = overlapping(ranges, ({ cidr }) => cidr)
    .filter(([a, b]) => a.network !== b.network)
    .map(([a, b]) => (order.indexOf(a.network) < order.indexOf(b.network) ? ([a, b] as const) : ([b, a] as const)))
    .sort(
      ([a, b], [c, d]) =>
        order.indexOf(a.network) - order.indexOf(c.network) ||
        order.indexOf(b.network) - order.indexOf(d.network) ||
        compareCidrs(a.cidr, c.cidr) ||
        compareCidrs(b.cidr, d.cidr),
    );
  return found.map(([a, b]) => ({ kind: 'network-overlap', a: rangeText(a), b: rangeText(b) }));
}

const order = ['node', 'pod', 'service'] as const;

function rangeText({ network, cidr }: Range): string {
  return `${network} ${cidr.text}`;
}

function distinct(network: Range['network'], cidrs: readonly Cidr[]): readonly Range[] {
  return [...new Map(cidrs.map((cidr) => [cidr.text, { network, cidr }])).values()];
}

function betweenNodes(podRanges: readonly NodeRange[]): readonly NetworkOverlap[] {
  return overlapping(podRanges, ({ cidr }) => cidr)
    .filter(([a, b]) => a.node !== b.node)
    .map(([a, b]) => (compareBytes(a.node, b.node) < 0 ? ([a, b] as const) : ([b, a] as const)))
    .sort(([a, b], [c, d]) => compareBytes(a.node, c.node) || compareBytes(b.node, d.node))
    .map(([a, b]) => ({
      kind: 'pod-cidr-overlap',
      a: `${a.node} ${a.cidr.text}`,
      b: `${b.node} ${b.cidr.text}`,
    }));
}

function outside(podRanges: readonly NodeRange[], networks: readonly Cidr[]): readonly NetworkOverlap[] {
  return podRanges.flatMap(({ node, cidr }) => {
    const own = networks.filter(({ family }) => family === cidr.family);
    if (own.length === 0 || own.some((network) => isWithin(cidr, network))) return [];
    return [{ kind: 'pod-cidr-outside', a: `${node} ${cidr.text}`, b: `pod ${own[0]?.text}` } as const];
  });
}

/** Pairs that share addresses. Networks that do lie within each other, so one pass over the sorted list finds them. */
function overlapping<T>(items: readonly T[], cidrOf: (item: T) => Cidr): readonly (readonly [T, T])[] {
  const sorted = [...items].sort((a, b) => compareCidrs(cidrOf(a), cidrOf(b)));
  const pairs: (readonly [T, T])[] = [];
  const around: T[] = [];
  for (const item of sorted) {
    while (around.length > 0 && !isWithin(cidrOf(item), cidrOf(around.at(-1) as T))) around.pop();
    for (const outer of around) pairs.push([outer, item]);
    around.push(item);
  }
  return pairs;
}

function reportOverlap({ kind, a, b }: NetworkOverlap, report: Report): void {
  const messages = {
    'network-overlap': `the networks ${a} and ${b} overlap: packets for one go to the other`,
    'pod-cidr-overlap': `two Nodes share Pod addresses: ${a} and ${b}`,
    'pod-cidr-outside': `the Pod range ${a} is outside of the Pod network (${b})`,
  };
  report({ code: kind, severity: 'warning', message: messages[kind], at: [] });
}
