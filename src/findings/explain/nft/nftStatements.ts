import type { Selector, Statement } from '../../../netfilter/nft/ast.ts';
import type { RuleDifference } from '../ruleDifferences.ts';

/** The statements of a rule in nftables mode; empty for anything else. */
export function statementsOf({ content }: RuleDifference): readonly Statement[] {
  return content?.kind === 'nftRule' ? content.rule.statements : [];
}

/** The mark of the packet. */
export function isMarkOf(selector: Selector): boolean {
  return selector.kind === 'meta' && selector.key === 'mark';
}
