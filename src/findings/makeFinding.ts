import type { FindingEntry } from './catalogue/findingEntry.ts';
import { catalogue } from './catalogue.ts';
import type { Finding, FindingId } from './finding.ts';

/** What a check says beside the catalogue's words. */
export type FindingParts = Partial<Omit<Finding, 'id'>> & { readonly seen: string };

/** A finding with the catalogue's severity, reason and remedy, unless the check knows better. */
export function makeFinding(id: FindingId, parts: FindingParts): Finding {
  const entry = catalogue[id] as FindingEntry;
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
