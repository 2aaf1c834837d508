import type { RuleChange } from '../compare/ruleChange.ts';
import type { DiffReport } from './diffReport.ts';

/** Changes that no finding explains, and those that one does, which reports fold. */
export function splitExplained({ changes }: DiffReport): {
  readonly unexplained: readonly RuleChange[];
  readonly explained: readonly RuleChange[];
} {
  if (!changes.some(({ explainedBy }) => explainedBy !== undefined)) return { unexplained: changes, explained: [] };
  return {
    unexplained: changes.filter(({ explainedBy }) => explainedBy === undefined),
    explained: changes.filter(({ explainedBy }) => explainedBy !== undefined),
  };
}
