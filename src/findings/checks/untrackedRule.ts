import { linesOf } from '../../node/chainLines.ts';
import { foreignOwner } from '../../node/foreignPrograms.ts';
import type { RuleChain, ToolRules } from '../../node/nodeRules.ts';

/** The first rule of the table raw that takes an address out of connection tracking, as NodeLocal DNSCache writes it. */
export function untrackedRule(set: ToolRules): { readonly chain: RuleChain; readonly at: number } | undefined {
  for (const chain of set.tables.get('raw')?.chains.values() ?? []) {
    if (foreignOwner(chain.name) !== undefined) continue;
    const at = linesOf(chain).findIndex((line) => / -d \S+ /.test(line) && / -j (?:NOTRACK|CT --notrack)/.test(line));
    if (at !== -1) return { chain, at };
  }
  return undefined;
}
