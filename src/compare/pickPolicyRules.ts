import type { Family } from '../common/addresses/family.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { jumpOf } from '../netfilter/iptables/ruleParts.ts';
import { isPolicyChain } from '../netfilter/policyParts.ts';
import { linesOf } from '../node/lines/chainLines.ts';
import { type PlacedLine, placedLine } from '../node/lines/placedLines.ts';
import type { RuleTable } from '../node/nodeRules.ts';
import { pickRules } from '../node/pickRules.ts';

/** A policy rule, as text and as data. */
export interface PolicyRule extends PlacedLine {
  readonly rule: Rule;
}

/** The policy rules in a filter table, and the jumps to them from shared chains. */
export function pickPolicyRules({ chains }: RuleTable, family: Family): readonly PolicyRule[] {
  return [...chains.values()].flatMap((chain) => {
    const isOwn = isPolicyChain(chain.name);
    const picked = [...pickRules(chain, family, isOwn ? {} : { holds: [' KUBE-ROUTER-'] })];
    const own = isOwn ? picked : picked.filter(({ rule }) => isPolicyChain(jumpOf(rule) ?? ''));
    if (own.length === 0) return [];
    const lines = linesOf(chain);
    return own.map(({ rule, at }): PolicyRule => {
      const { text, place } = placedLine(chain, at, lines[at] as string);
      return place === undefined ? { text, rule } : { text, place, rule };
    });
  });
}
