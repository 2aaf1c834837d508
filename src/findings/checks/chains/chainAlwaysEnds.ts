import type { Family } from '../../../common/addresses/family.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import type { RuleTable } from '../../../node/nodeRules.ts';
import { rulesOf } from '../../../node/rulesOf.ts';
import { wordKey } from './wordKey.ts';

/** What is known about packets: keys of words that hold for all of them. */
export type KnownWords = ReadonlySet<string>;

/** No packet of this kind returns from the chain: each is accepted, dropped, rejected or translated in it. */
export function chainAlwaysEnds(
  name: string,
  given: KnownWords,
  table: RuleTable,
  family: Family,
  depth: number = mostDeep,
): boolean {
  const chain = table.chains.get(name);
  if (chain === undefined || depth === 0) return false;
  for (const rule of rulesOf(chain, family)) {
    const isFor = holds(rule, given);
    const { target } = rule;
    if (target === undefined) continue;
    if (target.kind === 'jump') {
      if (target.chain === 'RETURN') return false;
      const isEnd =
        target.chain === 'ACCEPT' ||
        target.chain === 'DROP' ||
        ((isFor || target.isGoto === true) && chainAlwaysEnds(target.chain, given, table, family, depth - 1));
      if (isFor && isEnd) return true;
      // Packets that return from there do not return here.
      if (target.isGoto && !isEnd) return false;
    } else if (isFor && endings.has(target.kind)) return true;
  }
  return false;
}

/** The depth of jumps: from Services to external traffic, balancing and endpoints. */
const mostDeep = 5;

const endings: ReadonlySet<string> = new Set(['reject', 'dnat', 'snat', 'masquerade']);

function holds({ words }: Rule, given: KnownWords): boolean {
  return words.every((word) => {
    if (word.kind === 'comment') return true;
    const key = wordKey(word);
    return key !== undefined && (key === '' || given.has(key));
  });
}
