import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { isKubeName, isProxyTable, isServiceChain } from '../../netfilter/proxyChains.ts';
import { hasLines, linesOf } from '../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { targetName } from '../../node/rulesOf.ts';
import { nftServices } from '../../seen/names/nftServices.ts';
import { servicesByLine } from '../../seen/names/servicesByLine.ts';

/**
 * The Services (`namespace/name`) that can be compared if some of a family's rules were dumped: those with rules of their
 * own, and with the chains that addresses and node ports lead to. Undefined: what leads to all Services was dumped whole.
 */
export function servicesInPart(mode: ProxyMode, sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  const { rulesIn, usesIpvs, namesServicesInFilter } = modeFacts[mode];
  if (usesIpvs) return sets.some(({ kind }) => kind === 'ipvs') ? undefined : new Set();
  const tables = sets.filter(({ kind }) => kind === rulesIn).flatMap((set) => [...set.tables.values()]);
  if (rulesIn === 'nftables') {
    const own = tables.filter(({ name }) => isProxyTable(name));
    return own.some(({ isWhole }) => isWhole)
      ? undefined
      : new Set(own.flatMap((table) => [...nftServices(table).shown]));
  }
  const nat = tables.filter(({ name }) => name === 'nat');
  // The userspace proxy is not asked: its rules lead to its own ports.
  if (!namesServicesInFilter || nat.some(({ isWhole }) => isWhole)) return undefined;
  return new Set([...nat.flatMap((table) => [...shownInNat(table)]), ...tables.flatMap(withoutEndpoints)]);
}

/** Without those of which an entrance leads to a chain that is not shown. */
function shownInNat(table: RuleTable): ReadonlySet<string> {
  const shown = new Set<string>();
  for (const chain of table.chains.values()) {
    if (!isKubeName(chain.name)) continue;
    for (const name of servicesByLine(chain)) if (name !== '') shown.add(name);
  }
  for (const entrances of ['KUBE-SERVICES', 'KUBE-NODEPORTS']) {
    const chain = table.chains.get(entrances);
    const names = servicesByLine(chain);
    for (const [at, line] of linesOf(chain).entries()) {
      const to = targetName(line);
      if (isServiceChain(to) && !hasLines(table.chains.get(to))) shown.delete(names[at] as string);
    }
  }
  return shown;
}

/** All that kube-proxy writes for a Service without endpoints is in the table filter. */
function withoutEndpoints({ name, chains }: RuleTable): readonly string[] {
  const rejecting = name === 'filter' ? chains.get('KUBE-SERVICES') : undefined;
  const names = servicesByLine(rejecting);
  return linesOf(rejecting).flatMap((line, at) => (line.includes(' has no endpoints"') ? (names[at] as string) : []));
}
