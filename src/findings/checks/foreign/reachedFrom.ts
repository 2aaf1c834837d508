import { builtinChains } from '../../../netfilter/iptables/builtinChains.ts';
import { linesOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable } from '../../../node/nodeRules.ts';
import { targetName } from '../../../node/rulesOf.ts';

/** The built-in chains of a table from which rules lead to a chain; a built-in chain reaches itself. */
export function reachedFrom({ name: table, chains }: RuleTable, wanted: string): readonly string[] {
  return builtinChains(table).filter((start) => {
    const seen = new Set([start]);
    for (const name of seen) for (const line of linesOf(chains.get(name))) seen.add(targetName(line));
    return seen.has(wanted);
  });
}
