import { findFirst } from '../../common/findFirst.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { isProxyService } from '../../netfilter/ipvs/isProxyService.ts';
import {
  chainPrefixes,
  isIptablesModeChain,
  isIpvsChain,
  isProxyChain,
  isProxyTable,
} from '../../netfilter/proxyChains.ts';
import { eachChain, sharedChains } from '../../node/chains/eachChain.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';

/** The modes whose rules are on a node. */
export interface ModesShown {
  /** The likeliest first: after a switch, chains of an older mode may remain. Empty: kube-proxy has no rules here. */
  readonly modes: readonly ProxyMode[];
  /** Only chains that several modes write: the named mode is merely the likeliest. */
  readonly isGuess: boolean;
}

/**
 * Recognizes modes by what only one of them writes: chains of Services and endpoints, chains of IPVS mode, those of
 * userspace mode, kube-proxy's table of nft. Sets and virtual servers show IPVS mode only if there are no rules of
 * another mode: other programs have virtual servers too, and kube-proxy leaves its sets behind when it changes to
 * another mode.
 */
export function modesShown(tools: readonly ToolRules[]): ModesShown {
  const tables = tablesOf(tools, 'iptables');
  const isNftables = tablesOf(tools, 'nftables').some(
    (table) => isProxyTable(table.name) && hasShared(table, () => true),
  );
  const hasIpvsChains = tables.some((table) => hasShared(table, isIpvsChain));
  const isUserspace = tables.some((table) => hasShared(table, isUserspaceChain));
  const isIptables = !hasIpvsChains && tables.some(hasServiceChain);
  const isOther = isNftables || isUserspace || isIptables;
  const isIpvs =
    hasIpvsChains || (!isOther && (hasProxySets(tools) || (hasServers(tools) && !tables.some(isOfIptablesMode))));
  const shown = [
    isNftables && 'nftables',
    isIpvs && 'ipvs',
    isUserspace && 'userspace',
    isIptables && 'iptables',
  ] as const;
  const modes = shown.filter((mode) => mode !== false);
  if (modes.length > 0) return { modes, isGuess: false };
  // Iptables mode has only these if no Service has endpoints; IPVS mode uses the name KUBE-NODE-PORT.
  const own = tables.flatMap((table) =>
    Array.from(eachChain(table, sharedChains), ({ name }) => name).filter(isProxyChain),
  );
  return { modes: own.length > 0 ? ['iptables'] : [], isGuess: !own.includes('KUBE-NODEPORTS') };
}

function tablesOf(tools: readonly ToolRules[], wanted: ToolRules['kind']): readonly RuleTable[] {
  return tools.flatMap(({ kind, tables }) => (kind === wanted ? [...tables.values()] : []));
}

function hasShared(table: RuleTable, isWanted: (name: string) => boolean): boolean {
  return findFirst(eachChain(table, sharedChains), ({ name }) => isWanted(name)) !== undefined;
}

function hasServiceChain(table: RuleTable): boolean {
  const chains = eachChain(table, { kinds: (kind) => kind === 'balance' || kind === 'endpoint' });
  return findFirst(chains, ({ name }) => isIptablesModeChain(name)) !== undefined;
}

function hasProxySets(tools: readonly ToolRules[]): boolean {
  return tablesOf(tools, 'ipset').some(({ chains }) =>
    hasName(chains.keys(), (name) => proxySetKind(name) === 'CLUSTER-IP'),
  );
}

function hasServers(tools: readonly ToolRules[]): boolean {
  return tablesOf(tools, 'ipvs').some(({ chains }) =>
    [...chains.values()].some(({ content }) => content?.kind === 'virtualServer' && isProxyService(content.service)),
  );
}

/** A piece of its rules, without any chain of a Service: the virtual servers beside it are those of another program. */
function isOfIptablesMode(table: RuleTable): boolean {
  if (hasShared(table, (name) => name === 'KUBE-NODEPORTS' || name === 'KUBE-EXTERNAL-SERVICES')) return true;
  return linesOf(table.chains.get('KUBE-SERVICES')).some((line) => line.includes(` -j ${chainPrefixes.balance}`));
}

/** From 1.2 to 1.25; iptables mode of 1.1 has other chains. */
function isUserspaceChain(name: string): boolean {
  return name.startsWith('KUBE-PORTALS-');
}

function hasName(names: Iterable<string>, isWanted: (name: string) => boolean): boolean {
  return findFirst(names, isWanted) !== undefined;
}
