import type { RuleChange } from '../../compare/ruleChange.ts';

/**
 * Changes of one chain; each missing rule is paired with the one that replaces it, if most of their words are the same:
 * an edit shows as one line with other words. A rule that leads to the same place goes before one that is more alike.
 * Only the nearest few added rules are considered, which keeps long lists linear.
 */
export function pairChanges(changes: readonly RuleChange[]): readonly RuleChange[] {
  const extra = changes.filter(({ expected, found }) => expected === undefined && found !== undefined);
  if (extra.length === 0 || extra.length === changes.length) return changes;
  const missing = changes.filter(({ expected, found }) => expected !== undefined && found === undefined);
  const words = new Map(changes.map((change) => [change, wordsOf(change.expected ?? change.found)]));
  const partnerOf = new Map<RuleChange, RuleChange>();
  const taken = new Set<RuleChange>();
  for (const hasSameEnd of [true, false]) {
    let first = 0;
    for (const change of missing) {
      if (partnerOf.has(change)) continue;
      while (first < extra.length && taken.has(extra[first] as RuleChange)) first += 1;
      const own = words.get(change) ?? [];
      const isOpen = (partner: RuleChange) =>
        !taken.has(partner) && (!hasSameEnd || own.at(-1) === words.get(partner)?.at(-1));
      const partner = likest(own, extra.slice(first, first + mostLooks).filter(isOpen), words);
      if (partner === undefined) continue;
      taken.add(partner);
      partnerOf.set(change, partner);
    }
  }
  return changes.flatMap((change) => {
    if (taken.has(change)) return [];
    const { found, place } = partnerOf.get(change) ?? {};
    return [found === undefined ? change : { ...change, found, ...(place === undefined ? {} : { place }) }];
  });
}

/** The one that shares most words with some; undefined: none shares enough. */
function likest(
  own: readonly string[],
  candidates: readonly RuleChange[],
  words: ReadonlyMap<RuleChange, readonly string[]>,
): RuleChange | undefined {
  let best: { readonly partner: RuleChange; readonly likeness: number } | undefined;
  for (const partner of candidates) {
    const likeness = likenessOf(own, words.get(partner) ?? []);
    if (likeness >= leastLikeness && likeness > (best?.likeness ?? 0)) best = { partner, likeness };
  }
  return best?.partner;
}

const mostLooks = 12;
/** The proportion of words that must be the same. */
const leastLikeness = 0.6;

/** `-A CHAIN` is the same for all. */
function wordsOf(rule: string | undefined): readonly string[] {
  return (rule ?? '').split(' ').slice(2);
}

function likenessOf(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of other) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    shared += 1;
  }
  return shared / Math.max(one.length, other.length, 1);
}
