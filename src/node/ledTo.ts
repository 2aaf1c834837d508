import { memoized } from '../common/memoized.ts';
import { linesOf } from './lines/chainLines.ts';
import type { RuleTable } from './nodeRules.ts';
import type { RuleChain } from './ruleChain.ts';

/**
 * The chains and sets of an nft table that some hook leads to. All others have no effect: `nft -f` with newer rules
 * leaves them behind, and kube-proxy empties chains at once but deletes them in a later sync. Undefined: the table
 * shows no hook, so it is only part of a table.
 */
export const ledTo = memoized((table: RuleTable): ReadonlyMap<string, RuleChain> | undefined => {
  const hooks = [...table.chains.values()].filter(
    ({ content }) => content?.kind === 'nftChain' && content.chain.base !== undefined,
  );
  if (hooks.length === 0) return undefined;
  const asked = new Map(hooks.map((chain) => [chain.name, chain]));
  // Iterating over a Map also reaches entries that are added on the way.
  for (const chain of asked.values()) {
    for (const line of linesOf(chain)) {
      for (const name of namesIn(line)) {
        const found = table.chains.get(name);
        if (found !== undefined) asked.set(name, found);
      }
    }
  }
  return asked;
});

/** Chains and sets without effect, in their order; empty if this is only part of a table. */
export function unledTo(table: RuleTable): readonly RuleChain[] {
  const led = table.isWhole ? ledTo(table) : undefined;
  return led === undefined ? [] : [...table.chains.values()].filter(({ name }) => !led.has(name));
}

/**
 * Chains, sets and maps that rules and elements of an nft table name, and that it does not have: no kernel lets go of
 * what is named.
 */
export function missingIn({ chains }: Pick<RuleTable, 'chains'>): readonly string[] {
  const missing = new Set<string>();
  for (const { text } of chains.values()) {
    for (const [, set, chain = ''] of text.matchAll(references)) {
      const isThere = set === undefined ? chains.has(chain) : chains.has(`set ${set}`) || chains.has(`map ${set}`);
      if (!isThere) missing.add(set ?? chain);
    }
  }
  return [...missing];
}

/** Words that may be names of chains in a rule or an element: a word too many does no harm. */
function namesIn(line: string): readonly string[] {
  return [...line.matchAll(references)].flatMap(([, set, chain]) =>
    set === undefined ? [chain ?? ''] : [`set ${set}`, `map ${set}`],
  );
}

/** Names of kube-proxy's chains and sets hold slashes, dots and colons: `endpoint-QNWIX7VT-shop/web/udp/__10.244.1.9/8043`. */
const references = /@([\w./:*-]+)|\b(?:jump|goto) ([\w./:*-]+)/g;
