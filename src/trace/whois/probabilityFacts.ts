import type { RuleCatalog } from '../known/ruleCatalog.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** The share of packets reaching a rule that it takes. */
export function probabilityFacts(value: number, catalog: RuleCatalog): readonly WhoisFact[] {
  const parts = Math.round(1 / value);
  const takers = catalog.chances.filter(({ share, whole }) => Math.abs(share / whole - value) < 1e-5);
  const facts = takers.slice(0, mostNamed).map(
    ({ rule }): WhoisFact => ({
      kind: 'probability',
      sentence: `${rule.chain.name} #${rule.number} takes this share of what came to it${rule.comment === undefined ? '' : ` (${rule.comment})`}`,
      ...placeOf(rule),
    }),
  );
  if (takers.length > mostNamed)
    facts.push({ kind: 'probability', sentence: `${takers.length - mostNamed} more rules take this share` });
  const isShare = parts >= 1 && Math.abs(value - 1 / parts) < 1e-4;
  return isShare
    ? [
        {
          kind: 'probability',
          sentence: `${value} is one of ${parts} that are left: rules further down share the rest`,
        },
        ...facts,
      ]
    : facts;
}

/** Half of the Services of a node may have a rule with it. */
const mostNamed = 20;
