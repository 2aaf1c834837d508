import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { ipsetsIn, virtualServicesIn } from '../../node/ipvsRules.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';

/** How much of what IPVS mode has beside rules a dump shows: a listing of one thing is no proof that others are missing. */

/** Sets that kube-proxy has made since IPVS mode exists, with members or without. */
const everySet = ['CLUSTER-IP', 'LOOP-BACK', 'EXTERNAL-IP', 'LOAD-BALANCER', 'NODE-PORT-TCP', 'NODE-PORT-UDP'];

/**
 * `ipset list KUBE-CLUSTER-IP` shows one set, and another program's may be shown alone, too. Rules hold the others: the
 * kernel destroys no set that a rule matches. As with chains, one that is missing may be somebody's edit of a dump;
 * several mean that the listing is a piece.
 */
export function areSetsInPart({ kind, tables }: ToolRules): boolean {
  if (kind !== 'ipset') return false;
  // Some are left out because their members are not all shown.
  if ([...tables.values()].some(({ isWhole }) => !isWhole)) return true;
  const names = [...tables.values()].flatMap(({ chains }) => [...chains.keys()]);
  const own = new Set(names.flatMap((name) => proxySetKind(name) ?? []));
  if (own.size === 0) return names.length === 1;
  return everySet.filter((name) => !own.has(name)).length > 1;
}

/**
 * `ipvsadm -Ln -t 10.96.0.10:53` shows one virtual server, and who looks for an address or a port gets those of it.
 * Clusters have some for `kubernetes` and for their DNS, so where many more are `wanted`, these are not all.
 */
export function areServersInPart(ipvs: NodeRules['ipvs'], wanted: number): boolean {
  const shown = virtualServicesIn(ipvs).flatMap(({ address }) => (address.kind === 'address' ? address : []));
  if (shown.length === 0 || wanted < severalServers || shown.length * 2 > wanted) return false;
  return new Set(shown.map(({ ip }) => ip)).size === 1 || new Set(shown.map(({ port }) => port)).size === 1;
}

/** Some may be in lines that could not be read. */
export function areServersLost(ipvs: NodeRules['ipvs']): boolean {
  return ipvs.some(({ tables }) => [...tables.values()].some(({ hasLostLines }) => hasLostLines));
}

/** Of a node in IPVS mode: where packets to Services go is not shown, or for some of them alone. */
export function hidesServers({ ipvs, ipsets }: Pick<NodeRules, 'ipvs' | 'ipsets'>): boolean {
  return ipvs.length === 0 || areServersLost(ipvs) || areServersInPart(ipvs, clusterIpsIn(ipsets));
}

const severalServers = 4;

function clusterIpsIn(ipsets: NodeRules['ipsets']): number {
  const own = ipsetsIn(ipsets).filter(({ name }) => proxySetKind(name) === 'CLUSTER-IP');
  return own.reduce((sum, { members }) => sum + members.length, 0);
}
