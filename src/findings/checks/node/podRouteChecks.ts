import { type Cidr, cidrContains, isWithin, parseCidr } from '../../../common/addresses/cidr.ts';
import type { Family } from '../../../common/addresses/family.ts';
import { canonicalIp } from '../../../common/addresses/ip.ts';
import type { NetworkRoute } from '../../../node/networkFacts.ts';
import type { NodeRules } from '../../../node/nodeRules.ts';
import type { Compiled } from '../../../pipeline/compile.ts';
import { isFinished } from '../../../validate/isFinished.ts';
import type { Manifest } from '../../../validate/kinds/manifest.ts';
import type { NodeObject, PodObject } from '../../../validate/kinds/manifests.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * K8N521, K8N522: routes to the Pods of nodes that are missing or lead elsewhere, if the routing table and the Nodes
 * were given. A Node's podCIDR counts only if it is in use: its Pods have addresses in it, or, if there are none, this
 * node routes its own. If all other ranges of a family leave by the default route, the network beyond may know them: then
 * there is no finding. Nor is there one for a family without any route, which nobody has printed, or for a range that a
 * table other than main leads to.
 */
export function podRouteChecks({ model, policyManifests }: Compiled, { network }: NodeRules): readonly Finding[] {
  const routes = network.routes.flatMap(readRoute);
  if (!routes.some(({ cidr }) => lengthOf(cidr) === 0)) return [];
  const elsewhere = network.routes.flatMap((route) =>
    isOfOtherTable(route) ? (parseCidr(route.destination) ?? []) : [],
  );
  const nodes = policyManifests.nodes.map((manifest) => readNode(manifest, policyManifests.pods));
  const own = nodes.find(({ name }) => name.toLowerCase() === model.node.name);
  const others = nodes.filter((node) => node !== own);
  const routesOwn = own?.ranges.some((range) => isRoutedHere(range, routes)) ?? false;
  const asked = others.flatMap((node) =>
    node.isUsed === true || (node.isUsed === undefined && routesOwn)
      ? node.ranges
          .filter(({ family }) => routes.some(({ cidr }) => cidr.family === family))
          .map((range) => ({ node, range, way: wayTo(range, routes) }))
      : [],
  );
  const findings: Finding[] = own?.isUsed === true ? own.ranges.flatMap((range) => ledAway(range, own, routes)) : [];
  const routed = new Set<Family>(
    asked.flatMap(({ range, way }) => (way === 'default' || way === 'none' ? [] : range.family)),
  );
  for (const { node, range, way } of asked) {
    if (way === 'default' || way === 'none') {
      if (way === 'default' && !routed.has(range.family)) continue;
      if (elsewhere.some((cidr) => isWithin(range, cidr) || isWithin(cidr, range))) continue;
      const left = way === 'none' ? 'there is no route to it' : 'only the default route leads there';
      findings.push(
        makeFinding('K8N521', {
          what: `Node ${node.name} has Pods in ${range.text}, and ${left}`,
          places: [node.origin],
        }),
      );
    } else if (way !== 'inside') {
      const wrong = wrongWay(way, node, nodes);
      if (wrong === undefined) continue;
      findings.push(
        makeFinding('K8N522', {
          what: `Node ${node.name} has Pods in ${range.text}, and ${wrong}`,
          places: [node.origin],
        }),
      );
    }
  }
  return findings;
}

/** Rules of `ip rule` may choose it. */
function isOfOtherTable({ table, type }: NetworkRoute): boolean {
  return type === 'unicast' && !['main', 'local', 'default'].includes(table);
}

interface Route {
  readonly cidr: Cidr;
  readonly route: NetworkRoute;
}

function readRoute(route: NetworkRoute): readonly Route[] {
  const cidr = route.table === 'main' ? parseCidr(route.destination) : undefined;
  return cidr === undefined ? [] : [{ cidr, route }];
}

interface RoutedNode {
  readonly name: string;
  readonly origin: Manifest<NodeObject>['origin'];
  readonly ips: readonly string[];
  readonly ranges: readonly Cidr[];
  /** Its Pods have addresses in these ranges; undefined: none of its Pods are given. */
  readonly isUsed: boolean | undefined;
}

function readNode({ value, origin }: Manifest<NodeObject>, pods: readonly Manifest<PodObject>[]): RoutedNode {
  const { name } = value.metadata;
  const texts = value.spec?.podCIDRs ?? (value.spec?.podCIDR ? [value.spec.podCIDR] : []);
  const ranges = texts.flatMap((text) => parseCidr(text) ?? []);
  const ips = (value.status?.addresses ?? []).flatMap(({ address }) => canonicalIp(address) ?? []);
  const own = pods.flatMap(({ value: pod }) => {
    const ip = canonicalIp(pod.status?.podIP ?? '');
    const isOwn = pod.spec?.nodeName === name && pod.spec.hostNetwork !== true && !isFinished(pod);
    return isOwn && ip !== undefined && !ips.includes(ip) ? [ip] : [];
  });
  const isUsed = own.length === 0 ? undefined : own.every((ip) => ranges.some((range) => cidrContains(range, ip)));
  return { name, origin, ips, ranges, isUsed };
}

/** By the most specific route for the whole range; `inside`: by routes to parts of it, which may be all that exist. */
function wayTo(range: Cidr, routes: readonly Route[]): NetworkRoute | 'default' | 'none' | 'inside' {
  if (routes.some(({ cidr }) => cidr.text !== range.text && isWithin(cidr, range))) return 'inside';
  const [best] = routes
    .filter(({ cidr }) => isWithin(range, cidr))
    .sort((one, other) => lengthOf(other.cidr) - lengthOf(one.cidr) || one.route.metric - other.route.metric);
  if (best === undefined) return 'none';
  return lengthOf(best.cidr) === 0 ? 'default' : best.route;
}

/** Part of a sentence; undefined: nothing is wrong with it. */
function wrongWay(route: NetworkRoute, node: RoutedNode, nodes: readonly RoutedNode[]): string | undefined {
  if (route.type !== 'unicast') return `its route is ${route.type}`;
  const via = canonicalIp(route.via ?? '');
  if (via === undefined || node.ips.includes(via)) return undefined;
  const other = nodes.find(({ ips }) => ips.includes(via));
  return other && `its route leads to ${via}, which is Node ${other.name}`;
}

/** A device leads to the range without another router. */
function isRoutedHere(range: Cidr, routes: readonly Route[]): boolean {
  const way = wayTo(range, routes);
  return way === 'inside' || (typeof way === 'object' && way.via === undefined && way.type === 'unicast');
}

function ledAway(range: Cidr, own: RoutedNode, routes: readonly Route[]): readonly Finding[] {
  const way = wayTo(range, routes);
  if (way === 'inside' || way === 'none') return [];
  // A gateway within the range is the node's own end of its Pod network, like cilium_host.
  if (way !== 'default' && (way.via === undefined || cidrContains(range, way.via))) return [];
  const where = way === 'default' ? 'only the default route leads there' : `its route leads away, to ${way.via}`;
  return [
    makeFinding(way === 'default' ? 'K8N521' : 'K8N522', {
      what: `Pods of this node are in ${range.text}, and ${where}`,
      places: [own.origin],
    }),
  ];
}

function lengthOf(cidr: Cidr): number {
  return Number(cidr.text.slice(cidr.text.indexOf('/') + 1));
}
