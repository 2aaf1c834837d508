import type { Family } from '../../common/addresses/family.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { isKubeName, isProxyTable, isServiceChain } from '../../netfilter/proxyChains.ts';
import { hasLines, linesOf } from '../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { rulesOf, targetName } from '../../node/rulesOf.ts';
import { nftServices } from '../../seen/names/nftServices.ts';
import { serviceOfRule } from '../../seen/names/serviceInComment.ts';
import { servicesByLine } from '../../seen/names/servicesByLine.ts';

/**
 * The Services (`namespace/name`) that can be compared if some of a family's rules were dumped: those with rules of their
 * own, and with the chains that addresses and node ports lead to. Undefined: what leads to all Services was dumped whole.
 */
export function servicesInPart(mode: ProxyMode, sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  const { rulesIn, usesIpvs, namesServicesInFilter } = modeFacts[mode];
  if (usesIpvs) return sets.some(({ kind }) => kind === 'ipvs') ? undefined : new Set();
  if (rulesIn === 'nftables') return inNftables(sets);
  // The userspace proxy is not asked: its rules lead to its own ports.
  return namesServicesInFilter ? inIptables(sets) : undefined;
}

function inNftables(sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  const own = sets.flatMap(({ kind, tables }) => (kind === 'nftables' ? [...tables.values()] : []));
  const tables = own.filter(({ name }) => isProxyTable(name));
  if (tables.some(({ isWhole }) => isWhole)) return undefined;
  return new Set(tables.flatMap((table) => [...nftServices(table).shown]));
}

function inIptables(sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  const shown = new Set<string>();
  for (const { kind, family, tables } of sets) {
    if (kind !== 'iptables') continue;
    const nat = tables.get('nat');
    if (nat?.isWhole) return undefined;
    for (const name of nat === undefined ? [] : shownInNat(nat)) shown.add(name);
    for (const name of withoutEndpoints(tables.get('filter'), family)) shown.add(name);
  }
  return shown;
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
function withoutEndpoints(filter: RuleTable | undefined, family: Family): readonly string[] {
  const chain = filter?.chains.get('KUBE-SERVICES');
  return (chain === undefined ? [] : rulesOf(chain, family)).flatMap((rule) => {
    const named = serviceOfRule(rule);
    return named?.what === 'has no endpoints' ? named.service : [];
  });
}
