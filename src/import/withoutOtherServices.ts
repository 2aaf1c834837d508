import { isServiceChain } from '../netfilter/proxyChains.ts';
import type { NodeRules, RuleTable, ToolRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';
import { withTables } from '../node/withTables.ts';
import { serviceOfRule } from '../seen/names/serviceInComment.ts';
import { withoutLines } from './withoutLines.ts';
import { withoutNftServices } from './withoutNftServices.ts';

/** A node without the rules of some Services. */
export interface Narrowed {
  readonly node: NodeRules;
  /** Services whose rules were left out. */
  readonly others: ReadonlySet<string>;
}

/**
 * Leaves out the rules of Services (`namespace/name`) that a comparison does not ask for, in iptables and nftables mode,
 * where rules name their Services. Chains that nothing leads to stay: they are of nobody.
 */
export function withoutOtherServices(node: NodeRules, isAsked: (service: string) => boolean): Narrowed {
  const others = new Set<string>();
  const isOther = (service: string | undefined): boolean => {
    if (service === undefined || isAsked(service)) return false;
    others.add(service);
    return true;
  };
  const iptables = node.iptables.map((rules) => withTables(rules, (table) => iptablesTable(table, rules, isOther)));
  const nft = node.nft.map((rules) => withTables(rules, (table) => withoutNftServices(table, isOther)));
  return { node: { ...node, iptables, nft }, others };
}

type IsOther = (service: string | undefined) => boolean;

function iptablesTable(table: RuleTable, { family }: ToolRules, isOther: IsOther): RuleTable {
  const chains = new Map(table.chains);
  const [kept, dropped] = [new Set<string>(), new Set<string>()];
  for (const name of sharedChains) {
    const chain = table.chains.get(name);
    if (chain === undefined) continue;
    const away = new Set<number>();
    for (const [at, rule] of rulesOf(chain, family).entries()) {
      const isAway = isOther(serviceOfRule(rule)?.service);
      if (isAway) away.add(at);
      if (rule.target?.kind === 'jump') (isAway ? dropped : kept).add(rule.target.chain);
    }
    if (away.size > 0) chains.set(name, withoutLines(chain, away));
  }
  const asked = reachable(table, kept, family);
  for (const name of reachable(table, dropped, family)) if (!asked.has(name)) chains.delete(name);
  return { ...table, chains };
}

/** Chains that hold rules of all Services. */
const sharedChains = ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-EXTERNAL-SERVICES', 'KUBE-PROXY-FIREWALL'];

function reachable(table: RuleTable, roots: ReadonlySet<string>, family: ToolRules['family']): ReadonlySet<string> {
  const reached = new Set([...roots].filter(isServiceChain));
  for (const name of reached) {
    const chain = table.chains.get(name);
    for (const { target } of chain ? rulesOf(chain, family) : []) {
      if (target?.kind === 'jump' && isServiceChain(target.chain)) reached.add(target.chain);
    }
  }
  return reached;
}
