import type { EqualChains } from './chains/equalChains.ts';
import type { NodeRules, RuleTable } from './nodeRules.ts';
import type { RuleChain } from './ruleChain.ts';

/** What should be on a node, made for a comparison with what is there. */
export interface ExpectedRules {
  readonly rules: NodeRules;
  /** Chains of what was found that are expected with the very same text: the rules that should be there hold no copy. */
  readonly equal: EqualChains;
}

/** The chain that should be in a table; where the one that was found has its text, that one. */
export function expectedChain(
  table: RuleTable,
  found: RuleTable,
  name: string,
  equal: EqualChains,
): RuleChain | undefined {
  const twin = found.chains.get(name);
  return twin !== undefined && equal.has(twin) ? twin : table.chains.get(name);
}
