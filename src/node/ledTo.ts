import { memoized } from '../common/memoized.ts';
import { hasLines } from './lines/chainLines.ts';
import type { RuleTable } from './nodeRules.ts';
import type { RuleChain } from './ruleChain.ts';

/**
 * The chains and sets of an nft table that some hook leads to. All others have no effect: `nft -f` with newer rules
 * leaves them behind, and kube-proxy empties chains at once but deletes them in a later sync. Undefined: the table
 * shows no hook, so it is only part of a table.
 */
export function ledTo(table: RuleTable): ReadonlyMap<string, RuleChain> | undefined {
  return waysIn(table)?.led;
}

/**
 * Of these, the chains with a word that may be the name of a chain which is missing or has no lines. Only they need a closer
 * look: no other leads into nothing.
 */
export function maybeAstray(table: RuleTable): ReadonlySet<RuleChain> | undefined {
  return waysIn(table)?.astray;
}

interface WaysIn {
  readonly led: ReadonlyMap<string, RuleChain>;
  readonly astray: ReadonlySet<RuleChain>;
}

const waysIn = memoized(({ chains }: RuleTable): WaysIn | undefined => {
  const hooks = [...chains.values()].filter(
    ({ content }) => content?.kind === 'nftChain' && content.chain.base !== undefined,
  );
  if (hooks.length === 0) return undefined;
  const led = new Map(hooks.map((chain) => [chain.name, chain]));
  const astray = new Set<RuleChain>();
  const follow = (name: string) => {
    const found = chains.get(name);
    if (found !== undefined) led.set(name, found);
    return found;
  };
  // Iterating over a Map also reaches entries that are added on the way.
  for (const chain of led.values()) {
    eachPartNamed(chain.text, (name, isSet) => {
      if (isSet) {
        follow(`set ${name}`);
        follow(`map ${name}`);
      } else if (!hasLines(follow(name))) {
        astray.add(chain);
      }
    });
  }
  return { led, astray };
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
    eachPartNamed(text, (name, isSet) => {
      const isThere = isSet ? chains.has(`set ${name}`) || chains.has(`map ${name}`) : chains.has(name);
      if (!isThere) missing.add(name);
    });
  }
  return [...missing];
}

/** Visits words that may be names of chains and sets in rules or elements of nft; a word too many does no harm. */
export function eachPartNamed(text: string, visit: (name: string, isSet: boolean) => void): void {
  references.lastIndex = 0;
  for (let match = references.exec(text); match !== null; match = references.exec(text)) {
    const [, set, chain = ''] = match;
    visit(set ?? chain, set !== undefined);
  }
}

/** Names of kube-proxy's chains and sets hold slashes, dots and colons: `endpoint-QNWIX7VT-shop/web/udp/__10.244.1.9/8043`. */
const references = /@([\w./:*-]+)|\b(?:jump|goto) ([\w./:*-]+)/g;
