import type { Family } from '../../common/addresses/family.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { useOf } from '../../node/chains/chainUses.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { readRules, ruleOf } from '../../node/rulesOf.ts';
import { servicePortOfRule } from './servicePortOfRule.ts';

/**
 * `namespace/name:port` that a rule of an iptables chain serves, as its own comment or those of its chain name it; empty: unknown.
 * With more than 1,000 endpoints, kube-proxy leaves these comments out (since 1.12): then the rules that lead to the chain name it,
 * or those that lead to their chains.
 */
export function servicePortServed(rule: Rule | undefined, chain: RuleChain, table: RuleTable, family: Family): string {
  return (rule && servicePortOfRule(rule)) || (isServiceChain(chain.name) ? portOfChain(chain, table, family) : '');
}

function portOfChain(chain: RuleChain, table: RuleTable, family: Family): string {
  const seen = new Set<string>();
  for (let next = chain; isServiceChain(next.name) && !seen.has(next.name); ) {
    seen.add(next.name);
    const own = readRules(next, family).map(servicePortOfRule).find(Boolean);
    if (own !== undefined) return own;
    const use = useOf(table, next.name);
    const line = use && linesOf(use.chain)[use.at];
    if (use === undefined || line === undefined) return '';
    const named = servicePortOfRule(ruleOf(line, family));
    if (named !== '') return named;
    next = use.chain;
  }
  return '';
}
