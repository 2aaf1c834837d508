import { isUntracking } from '../../../node/isUntracking.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import { foreignOwner } from '../../../node/programs/foreignPrograms.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';

/**
 * The first rule of the raw table that takes an address out of connection tracking, as NodeLocal DNSCache writes it.
 */
export function untrackedRule(set: ToolRules): { readonly chain: RuleChain; readonly at: number } | undefined {
  for (const chain of set.tables.get('raw')?.chains.values() ?? []) {
    if (foreignOwner(chain.name) !== undefined) continue;
    for (const { rule, at } of pickRules(chain, set.family, { holds: ['NOTRACK', 'notrack'] })) {
      if (isUntracking(rule) && rule.words.some(({ kind }) => kind === 'destination')) return { chain, at };
    }
  }
  return undefined;
}
