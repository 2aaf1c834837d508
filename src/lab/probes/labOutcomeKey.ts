import type { LabOutcome } from './labResult.ts';
import type { PredictedOutcome } from './predictProbe.ts';

export function labOutcomeKey(outcome: LabOutcome | PredictedOutcome['end']): string {
  return outcome.kind === 'answered' ? `${outcome.by} ${outcome.sawSource}` : outcome.kind;
}
