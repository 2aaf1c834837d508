import type { RuleChain } from '../ruleChain.ts';

/** A rule that leads to a chain. */
export interface ChainUse {
  readonly chain: RuleChain;
  readonly at: number;
}
