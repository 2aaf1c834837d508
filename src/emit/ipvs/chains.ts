import type { Rule } from '../../netfilter/iptables/ast.ts';
import { comment, jumpTo } from '../../netfilter/iptables/builders.ts';

export type TableName = 'filter' | 'nat';

/** kube-proxy's chains in IPVS mode, in the order in which it makes them. */
export const ownChains: Readonly<Record<TableName, readonly string[]>> = {
  nat: ['KUBE-SERVICES', 'KUBE-POSTROUTING', 'KUBE-NODE-PORT', 'KUBE-LOAD-BALANCER', 'KUBE-MARK-MASQ'],
  filter: [
    'KUBE-FORWARD',
    'KUBE-NODE-PORT',
    'KUBE-PROXY-FIREWALL',
    'KUBE-SOURCE-RANGES-FIREWALL',
    'KUBE-IPVS-FILTER',
    'KUBE-IPVS-OUT-FILTER',
  ],
};

/** A rule of a built-in chain that leads to one of ours. */
export interface Jump {
  readonly table: TableName;
  readonly rule: Rule;
}

/** In the order of kube-proxy's calls; each is inserted at the top of its chain, so that the last call stands first. */
export const jumps: readonly Jump[] = [
  jump('nat', 'OUTPUT', 'KUBE-SERVICES', 'kubernetes service portals'),
  jump('nat', 'PREROUTING', 'KUBE-SERVICES', 'kubernetes service portals'),
  jump('nat', 'POSTROUTING', 'KUBE-POSTROUTING', 'kubernetes postrouting rules'),
  jump('filter', 'FORWARD', 'KUBE-FORWARD', 'kubernetes forwarding rules'),
  jump('filter', 'INPUT', 'KUBE-NODE-PORT', 'kubernetes health check rules'),
  jump('filter', 'INPUT', 'KUBE-PROXY-FIREWALL', 'kube-proxy firewall rules'),
  jump('filter', 'FORWARD', 'KUBE-PROXY-FIREWALL', 'kube-proxy firewall rules'),
  jump('filter', 'INPUT', 'KUBE-IPVS-FILTER', 'kubernetes ipvs access filter'),
  jump('filter', 'OUTPUT', 'KUBE-IPVS-OUT-FILTER', 'kubernetes ipvs access filter'),
];

function jump(table: TableName, from: string, to: string, text: string): Jump {
  return { table, rule: { chain: from, words: [comment(text)], target: jumpTo(to) } };
}
