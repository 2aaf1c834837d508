import type { Family } from '../common/family.ts';
import { findFirst } from '../common/findFirst.ts';
import { familyOf } from '../common/ip.ts';
import { type ModeFacts, modeFacts } from '../common/modeFacts.ts';
import type { ProxyMode } from '../common/proxyMode.ts';
import { answeringAddresses } from '../import/ipvs/answeringAddresses.ts';
import { ipvsFacts } from '../import/ipvs/ipvsFacts.ts';
import { iptablesMasquerade } from '../import/settings/iptablesMasquerade.ts';
import { nftSettings } from '../import/settings/nftSettings.ts';
import { isIptablesModeChain, isProxyTable } from '../netfilter/proxyChains.ts';
import { isInIpvsMode } from '../node/isInIpvsMode.ts';
import type { NodeRules, RuleChain, ToolRules } from '../node/nodeRules.ts';
import { podRangeIn } from '../node/podRangeIn.ts';
import { wantedChains } from '../node/wantedChains.ts';

/** What a dump shows of settings that a comparison needs; undefined: it does not show it, or not clearly. */
export interface DeducedTarget {
  readonly mode?: ProxyMode;
  /** One of each family at most, set apart by commas. */
  readonly clusterCIDR?: string;
  /** Addresses of the node: where node ports answer in IPVS and nftables mode. */
  readonly addresses: readonly string[];
}

/**
 * Reads kube-proxy's mode, its cluster CIDR and the node's addresses off the rules of a node. `nodePorts` are those of
 * the manifests (`tcp 30080`), for dumps of IPVS mode without sets.
 */
export function deduceTarget(node: NodeRules, nodePorts: readonly string[] = []): DeducedTarget {
  const mode = modeOf(node);
  const clusterCIDR = clusterCIDROf(node);
  return {
    ...(mode && { mode }),
    ...(clusterCIDR && { clusterCIDR }),
    addresses: mode === undefined ? [] : addressesShown[modeFacts[mode].namedNodeAddresses](node, nodePorts),
  };
}

const addressesShown: Readonly<
  Record<ModeFacts['namedNodeAddresses'], (node: NodeRules, nodePorts: readonly string[]) => readonly string[]>
> = { none: () => [], primary: nftAddresses, all: ipvsAddresses };

/**
 * What kube-proxy itself says, else what its rules show. Rules of two modes on one node show neither: what is left of the
 * other is a finding, not a choice.
 */
function modeOf(node: NodeRules): ProxyMode | undefined {
  return node.proxy.mode ?? modeShown(node);
}

function modeShown(node: NodeRules): ProxyMode | undefined {
  const tables = node.iptables.flatMap((rules) => [...rules.tables.values()]);
  const hasOwnChain = tables.some((table) =>
    hasName(
      wantedChains(table, (kind) => kind === 'balance' || kind === 'endpoint'),
      isIptablesModeChain,
    ),
  );
  const isNftables = node.nft.some((rules) =>
    [...rules.tables.values()].some(({ name, chains }) => isProxyTable(name) && chains.has('services')),
  );
  const isIpvs = isInIpvsMode(node);
  const isIptables = !isIpvs && hasOwnChain;
  const shown = [isNftables && 'nftables', isIpvs && 'ipvs', isIptables && 'iptables'] as const;
  const [only, ...others] = shown.filter((mode) => mode !== false);
  return others.length > 0 ? undefined : only;
}

function hasName(chains: Iterable<RuleChain>, isWanted: (name: string) => boolean): boolean {
  return findFirst(chains, ({ name }) => isWanted(name)) !== undefined;
}

function clusterCIDROf({ iptables, nft }: NodeRules): string | undefined {
  const ranges = new Map<Family, string>();
  for (const rules of [...iptables, ...nft]) {
    const range = rangeIn(rules);
    const known = ranges.get(rules.family);
    if (range === undefined) continue;
    if (known !== undefined && known !== range) return undefined;
    ranges.set(rules.family, range);
  }
  return ranges.size === 0 ? undefined : [...ranges.values()].join(',');
}

/** What most rules tell Pods by; of a dump that was cut also what others say. */
function rangeIn(rules: ToolRules): string | undefined {
  const { detector } = rules.kind === 'nftables' ? nftSettings(rules) : iptablesMasquerade(rules);
  if (detector !== undefined) return detector.kind === 'cidr' ? detector.cidr : undefined;
  return podRangeIn(rules);
}

/** Addresses at which every node port has a virtual server. */
function ipvsAddresses(node: NodeRules, given: readonly string[]): readonly string[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => answeringAddresses(ipvsFacts(node, family), given));
}

function nftAddresses({ nft }: NodeRules): readonly string[] {
  return nft.flatMap((rules) => {
    const { nodePorts } = nftSettings(rules);
    return nodePorts?.kind === 'addresses' ? nodePorts.addresses.filter((ip) => familyOf(ip) !== undefined) : [];
  });
}
