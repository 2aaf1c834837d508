import type { DumpPlace } from '../node/lines/chainLines.ts';
import type { PlacedLine } from '../node/lines/placedLines.ts';
import type { RuleChange } from './ruleChange.ts';

/**
 * Lines that only one side has, chain by chain; if both have the same in a different order, the first line that moved.
 * A missing line has the place of its chain; a missing chain has that of `around`.
 */
export function* policyDifferences(
  table: string,
  expected: ReadonlyMap<string, readonly PlacedLine[]>,
  found: ReadonlyMap<string, readonly PlacedLine[]>,
  around: DumpPlace | undefined,
): Iterable<RuleChange> {
  for (const chain of new Set([...expected.keys(), ...found.keys()])) {
    const [should = [], is = []] = [expected.get(chain), found.get(chain)];
    const missing = without(should, is);
    const extra = without(is, should);
    const nearest = is.find(({ place }) => place !== undefined)?.place ?? around;
    for (const { text } of missing) yield { table, chain, expected: text, ...at(nearest) };
    for (const { text, place } of extra) yield { table, chain, found: text, ...at(place ?? nearest) };
    if (missing.length + extra.length > 0) continue;
    const index = should.findIndex(({ text }, nth) => text !== is[nth]?.text);
    const [one, other] = [should[index], is[index]];
    if (one === undefined || other === undefined) continue;
    yield { table, chain, expected: one.text, found: other.text, ...at(other.place ?? nearest), isMoved: true };
  }
}

function at(place: DumpPlace | undefined): { readonly place?: DumpPlace } {
  return place === undefined ? {} : { place };
}

function without(lines: readonly PlacedLine[], others: readonly PlacedLine[]): readonly PlacedLine[] {
  const left = new Map<string, number>();
  for (const { text } of others) left.set(text, (left.get(text) ?? 0) + 1);
  return lines.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
