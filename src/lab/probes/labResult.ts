import type { LabProbe } from './labProbe.ts';
import type { PredictedOutcome } from './predictProbe.ts';

/** What became of the connections of a probe. */
export interface ProbeResult {
  readonly probe: LabProbe;
  /** Each thing that happened, the most frequent first. */
  readonly outcomes: readonly CountedOutcome[];
  /** How the walk of the same rules compares. */
  readonly compared?: ProbeComparison;
}

export interface CountedOutcome {
  readonly outcome: LabOutcome;
  readonly count: number;
}

/** Without the port that a server saw, which is another one each time. */
export type LabOutcome =
  | { readonly kind: 'answered'; readonly by: string; readonly sawSource: string }
  | { readonly kind: 'refused' | 'timeout' | 'unreachable' };

export interface ProbeComparison {
  readonly expected: readonly PredictedOutcome[];
  /** In words; empty: kernel and walk agree. */
  readonly problems: readonly string[];
}
