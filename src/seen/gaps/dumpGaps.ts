import type { Family } from '../../common/addresses/family.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { count } from '../../common/text/count.ts';
import { isProxyChain, isProxyTable } from '../../netfilter/proxyChains.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { areServersLost, areSetsInPart, hidesServers } from '../ipvs/shownInPart.ts';
import { isOwnTable } from './isOwnTable.ts';

/**
 * What shows that a dump lacks part of what kube-proxy wrote in a mode, each in a few words; empty: nothing shows it.
 */
export function dumpGaps(dump: NodeRules, mode: ProxyMode): readonly string[] {
  const { hiddenTables, unread } = dump;
  const [first] = unread;
  const { rulesIn, usesIpvs } = modeFacts[mode];
  return [
    ...(rulesIn === 'nftables' ? dump.nft.flatMap(nftGaps) : dump.iptables.flatMap(iptablesGaps)),
    ...(usesIpvs ? ipvsGaps(dump) : []),
    ...hiddenTables.map(({ table }) => `the saving program could not show table ${table}`),
    ...(first === undefined
      ? []
      : [
          `${count(unread.length, 'line')} could not be read, the first at ${first.file}:${first.line}: ${first.message}`,
        ]),
  ];
}

function nftGaps({ tables }: ToolRules): readonly string[] {
  return [...tables.values()].flatMap(({ name, cut }) =>
    cut !== undefined && isProxyTable(name) ? [`table ${name} is cut: ${cut}`] : [],
  );
}

function iptablesGaps({ family, tables }: ToolRules): readonly string[] {
  const own = [...tables.values()].filter(({ chains }) => [...chains.keys()].some(isProxyChain));
  if (own.length === 0) return [];
  const cut = own.flatMap((table): readonly string[] => {
    const why = cutOf(table);
    return why === undefined ? [] : [`table ${table.name} of ${family} ${why}`];
  });
  return tables.has('nat') ? cut : [...cut, `table nat of ${family} is missing`];
}

function cutOf(table: RuleTable): string | undefined {
  if (table.cut !== undefined) return `is cut: ${table.cut}`;
  return isOwnTable(table) ? undefined : 'is a piece';
}

/** IPVS mode is spread over three places. */
function ipvsGaps({ iptables, ipsets, ipvs }: NodeRules): readonly string[] {
  const holds = (all: readonly ToolRules[], family: Family) =>
    all.some((one) => one.family === family && [...one.tables.values()].some(({ chains }) => chains.size > 0));
  // Lines that could not be read are told apart.
  const isServersPart = ipvs.length > 0 && !areServersLost(ipvs) && hidesServers({ ipsets, ipvs });
  const gaps = (['ipv4', 'ipv6'] as const).flatMap((family) => {
    // A node with one family has empty sets for the other, and nothing behind them.
    const isServed = holds(ipvs, family) || (holds(iptables, family) && family === 'ipv4');
    if (!isServed) return [];
    return [
      ...(holds(iptables, family) ? [] : [`rules of iptables (${family}) are missing`]),
      ...(holds(ipsets, family) ? [] : [`sets of ipset (${family}) are missing`]),
      ...(holds(ipvs, family) ? [] : [`virtual servers of ipvsadm (${family}) are missing`]),
      ...(ipsets.some((one) => one.family === family && areSetsInPart(one))
        ? [`some sets of ipset (${family}) are missing`]
        : []),
    ];
  });
  return isServersPart ? [...gaps, 'virtual servers of one address or port are shown alone'] : gaps;
}
