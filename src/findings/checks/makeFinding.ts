import { numberAt } from '../../node/chainLines.ts';
import type { RuleChain } from '../../node/nodeRules.ts';
import type { FindingEntry } from '../catalogue/findingEntry.ts';
import { catalogue } from '../catalogue.ts';
import type { DumpPlace, Finding, FindingId } from '../finding.ts';

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

/** Where a line of a chain stands in its dump. */
export function placeOf(chain: RuleChain, at: number): DumpPlace {
  return { file: chain.files?.[at] ?? chain.file, line: numberAt(chain, at) };
}

/** Where a chain is declared, or its first rule. */
export function chainPlace(chain: RuleChain): DumpPlace[] {
  if (chain.file === '') return [];
  return [{ file: chain.file, line: chain.declaredAt || numberAt(chain, 0) }];
}
