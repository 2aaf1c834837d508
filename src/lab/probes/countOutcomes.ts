import { compareBytes } from '../../common/compareBytes.ts';
import { labOutcomeKey } from './labOutcomeKey.ts';
import type { CountedOutcome, LabOutcome } from './labResult.ts';
import type { ProbeOutcome } from './runProbes.ts';

/** Equal outcomes counted together. */
export function countOutcomes(outcomes: readonly ProbeOutcome[]): readonly CountedOutcome[] {
  const counted = new Map<string, { outcome: LabOutcome; count: number }>();
  for (const each of outcomes) {
    const outcome = each.kind === 'answered' ? { kind: each.kind, by: each.by, sawSource: each.sawSource } : each;
    const key = labOutcomeKey(outcome);
    const known = counted.get(key);
    if (known === undefined) counted.set(key, { outcome, count: 1 });
    else known.count += 1;
  }
  return [...counted]
    .sort(([key, a], [other, b]) => b.count - a.count || compareBytes(key, other))
    .map(([, one]) => one);
}
