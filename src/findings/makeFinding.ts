import type { FindingEntry } from './catalogue/findingEntry.ts';
import type { Finding, FindingId } from './finding.ts';
import { findingCatalogue } from './findingCatalogue.ts';

/** What a check says beside the findingCatalogue's words. */
export type FindingParts = Partial<Omit<Finding, 'id'>> & { readonly seen: string };

/** A finding with the findingCatalogue's severity, reason and remedy, unless the check knows better. */
export function makeFinding(id: FindingId, parts: FindingParts): Finding {
  const entry = findingCatalogue[id] as FindingEntry;
  return {
    id,
    severity: entry.severity,
    why: entry.cause,
    fix: entry.fix,
    expected: [],
    found: [],
    isAdvice: entry.isAdvice,
    ...parts,
  };
}
