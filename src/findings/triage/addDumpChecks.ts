import type { Family } from '../../common/addresses/family.ts';
import type { ChainKey } from '../../node/chains/chainKey.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { Plan } from '../../plan/plan.ts';
import type { DumpFinding } from '../checks/dumpFinding.ts';
import type { Finding } from '../finding.ts';
import { coveringOf } from './coveringOf.ts';
import type { Triaged } from './triage.ts';

/** What the steps of a comparison need. */
export interface ComparisonContext {
  readonly plans: readonly (Plan & { readonly family: Family })[];
  /** The dump's rules of families that are compared. */
  readonly found: readonly ToolRules[];
  readonly checked: readonly DumpFinding[];
  /** The chain exists on both sides without any difference. */
  readonly isAsExpected: (about: ChainKey) => boolean;
  /** Findings of chains that are missing or empty, unless these findings report it already. */
  readonly voids: (findings: readonly Finding[]) => readonly Finding[];
  /** Findings of manifests, settings and facts. */
  readonly ofObjects: readonly Finding[];
  /** Services that a fragment names; undefined: the dump covers all. */
  readonly named: ReadonlySet<string> | undefined;
  /** Services (`namespace/name`) by the address that they share. */
  readonly sharers: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Adds the findings of dump checks to the explained differences. */
export function addDumpChecks(triaged: Triaged, { checked, isAsExpected }: ComparisonContext): Triaged {
  const findings = [...triaged.findings];
  const covering = coveringOf(findings);
  for (const { finding, about, isForDumpsAlone } of checked) {
    if (isForDumpsAlone || (about !== undefined && isAsExpected(about))) continue;
    // One statement about many Services replaces theirs.
    if (finding.services === undefined && covering.isCovered(finding, about)) continue;
    covering.add(finding);
    findings.push(finding);
  }
  return { ...triaged, findings };
}
