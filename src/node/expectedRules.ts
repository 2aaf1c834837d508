import type { EqualChains } from './chains/equalChains.ts';
import type { NodeRules, RuleTable } from './nodeRules.ts';
import type { RuleChain } from './ruleChain.ts';

/** What should be on a node, made for a comparison with what is on it. */
export interface ExpectedRules {
  readonly rules: NodeRules;
  /** Chains found on the node that are expected with exactly this text, so the expected rules hold no copy. */
  readonly equal: EqualChains;
}

/** The chain that a table should have; if the found one has the same text, the found one. */
export function expectedChain(
  table: RuleTable,
  found: RuleTable,
  name: string,
  equal: EqualChains,
): RuleChain | undefined {
  const twin = found.chains.get(name);
  return twin !== undefined && equal.has(twin) ? twin : table.chains.get(name);
}
