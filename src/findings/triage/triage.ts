import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Finding } from '../finding.ts';

/** Findings on their way to a report. */
export interface Triaged {
  readonly findings: readonly Finding[];
  /** Differences that no finding explains. */
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
  /** Services (`namespace/name`) that were not judged. */
  readonly notCompared: readonly string[];
}

/** One reason for which findings are added, left out or combined. A step never changes its input. */
export interface TriageStep<Context> {
  readonly name: string;
  readonly reason: string;
  readonly apply: (triaged: Triaged, context: Context) => Triaged;
}

/** All steps in their order; each sees the result of the previous ones. */
export function triage<Context>(given: Triaged, steps: readonly TriageStep<Context>[], context: Context): Triaged {
  return steps.reduce((triaged, { apply }) => apply(triaged, context), given);
}
