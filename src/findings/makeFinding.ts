import type { ObjectProblem } from '../objects/objectProblem.ts';
import { findingCatalogue } from '../problems/findingCatalogue.ts';
import type { FindingId } from '../problems/problemCode.ts';
import type { FindingEntry } from '../problems/problemEntry.ts';
import type { Finding } from './finding.ts';

/** What a check says beside the findingCatalogue's words. */
export type FindingParts = Partial<Omit<Finding, 'id'>> & { readonly seen: string };

/** A finding with the findingCatalogue's severity, reason and remedy, unless the check knows better. */
export function makeFinding(id: FindingId, parts: FindingParts): Finding {
  const entry = findingCatalogue[id] as FindingEntry;
  return {
    id,
    severity: entry.severity,
    why: entry.why,
    fix: entry.fix,
    expected: [],
    found: [],
    isAdvice: entry.isAdvice,
    ...parts,
  };
}

/** What objects say against each other, as a finding. */
export function findingOfObjects({ code, what, service, names, places }: ObjectProblem): Finding {
  return makeFinding(code, {
    seen: what,
    expected: places,
    ...(service !== undefined && { service }),
    ...(names && { names }),
  });
}
