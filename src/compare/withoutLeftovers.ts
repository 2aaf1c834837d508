import { linesOf } from '../node/chainLines.ts';
import type { RuleTable } from '../node/nodeRules.ts';

/**
 * Our table of nftables without chains and sets to which no hook leads: `nft -f` with newer rules leaves those of older
 * ones behind, without effect. A table that shows no hook is a part of one, and left as it is.
 */
export function withoutLeftovers(table: RuleTable): RuleTable {
  const hooks = [...table.chains.values()].filter(
    ({ content }) => content?.kind === 'nftChain' && content.chain.base !== undefined,
  );
  if (hooks.length === 0) return table;
  const asked = new Map(hooks.map((chain) => [chain.name, chain]));
  // A Map that grows while it is walked is walked to its new end.
  for (const chain of asked.values()) {
    for (const line of linesOf(chain)) {
      for (const name of namesIn(line)) {
        const found = table.chains.get(name);
        if (found !== undefined) asked.set(name, found);
      }
    }
  }
  return { ...table, chains: new Map([...table.chains].filter(([name]) => asked.has(name))) };
}

/** What a rule or an element may lead to: a word too many does no harm. */
function namesIn(line: string): readonly string[] {
  return [...line.matchAll(references)].flatMap(([, set, chain]) =>
    set === undefined ? [chain ?? ''] : [`set ${set}`, `map ${set}`],
  );
}

const references = /@([\w-]+)|\b(?:jump|goto) ([\w-]+)/g;
