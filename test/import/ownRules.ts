import { printRule } from '../../src/netfilter/iptables/print/printRule.ts';
import { isProxyChain } from '../../src/netfilter/proxyChains.ts';
import { linesOf } from '../../src/node/lines/chainLines.ts';
import type { NodeRules, ToolRules } from '../../src/node/nodeRules.ts';
import type { RuleChain } from '../../src/node/ruleChain.ts';
import { everyTool } from '../../src/node/ruleKinds.ts';
import { rulesOf } from '../../src/node/rulesOf.ts';

/**
 * kube-proxy's own rules of a node in their canonical form, by place: chains of iptables and nft, sets, virtual servers,
 * addresses. Where no version has an order they are sorted; what holds nothing is left out.
 */
export function ownRules(node: NodeRules): ReadonlyMap<string, readonly string[]> {
  const own = new Map<string, readonly string[]>();
  for (const rules of everyTool(node)) {
    for (const table of rules.tables.values()) {
      for (const chain of table.chains.values()) {
        const lines = canonicalLines(rules, chain);
        if (lines.length === 0) continue;
        const key = `${rules.kind} ${rules.family} ${table.name} ${chain.name}`;
        own.set(key, isOrdered(rules, chain.name) ? lines : [...lines].sort());
      }
    }
  }
  return own;
}

/** Chains that hold rules of all Services have them in the order of a Go map; sets have none. */
function isOrdered({ kind }: ToolRules, name: string): boolean {
  if (kind === 'nftables') return !/^(?:set|map) /.test(name);
  return kind === 'iptables' && !/^KUBE-(?:SERVICES|NODEPORTS|EXTERNAL-SERVICES|PROXY-FIREWALL)$/.test(name);
}

function canonicalLines({ kind, family }: ToolRules, chain: RuleChain): readonly string[] {
  if (chain.content?.kind === 'nftSet') {
    return chain.content.set.elements.map(({ key, verdict, comment }) => JSON.stringify([key, verdict, comment]));
  }
  if (kind !== 'iptables') return linesOf(chain).map((line) => line.replace(/\/(?:32|128)$/, ''));
  const rules = rulesOf(chain, family).filter(({ target, words }) => {
    // The recording kernel had no xt_ipvs, and so none of the rules that need it.
    if (words.some((word) => word.kind === 'ipvs')) return false;
    return isProxyChain(chain.name) || (target?.kind === 'jump' && isProxyChain(target.chain));
  });
  return rules.map((rule) => printRule(rule, 'save', family));
}
