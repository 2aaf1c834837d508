import type { ObjectProblem } from '../objects/objectProblem.ts';
import { findingCatalogue } from '../problems/findingCatalogue.ts';
import type { FindingCode } from '../problems/problemCode.ts';
import type { FindingEntry } from '../problems/problemEntry.ts';
import type { Finding } from './finding.ts';

/** What a check adds to the words of findingCatalogue. */
export type FindingParts = Partial<Omit<Finding, 'code'>> & { readonly what: string };

/** A finding with the severity, reason and remedy of findingCatalogue, unless the check gives its own. */
export function makeFinding(id: FindingCode, parts: FindingParts): Finding {
  const entry = findingCatalogue[id] as FindingEntry;
  return {
    code: id,
    severity: entry.severity,
    why: entry.why,
    fix: entry.fix,
    places: [],
    found: [],
    isAdvice: entry.isAdvice,
    ...parts,
  };
}

/** A contradiction among objects, as a finding. */
export function findingOfObjects({ code, what, service, fix, names, places }: ObjectProblem): Finding {
  return makeFinding(code, {
    what,
    places,
    ...(service !== undefined && { service }),
    ...(fix !== undefined && { fix }),
    ...(names && { names }),
  });
}
