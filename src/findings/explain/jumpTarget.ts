import type { Rule } from '../../netfilter/iptables/ast.ts';

/** Name of the chain that a rule jumps to; empty: none. */
export function jumpTarget(rule: Rule): string {
  return rule.target?.kind === 'jump' ? rule.target.chain : '';
}
