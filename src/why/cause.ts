import type { Evidence } from '../diagnostics/problem.ts';
import type { CauseCode } from '../problems/problemCode.ts';

/** One reason why somebody cannot be reached, or why it may fail although the rules are right. */
export interface Cause extends CauseDraft {
  /** In the order in which causes are asked for: the first that holds is the answer. */
  readonly order: number;
  /** Numbers of the outcomes that fail so, from 0. */
  readonly outcomes: readonly number[];
}

/** A cause as it is found for one outcome. */
export interface CauseDraft {
  readonly id: CauseId;
  readonly sentence: string;
  readonly evidence: readonly Evidence[];
  readonly fix: string;
  /** What decides was not given, or only assumed: it may be so, and nothing shows it. */
  readonly isUnknown?: true;
}

/** In their order, from 0. */
export const causeIds = [
  'no-kube-proxy',
  'not-asked-for',
  'no-endpoints',
  'no-local-endpoint',
  'source-not-allowed',
  'network-policy',
  'somebody-in-front',
  'hooks-missing',
  'routing',
  'way-back',
  'stale-endpoint',
  'state',
  'not-shown',
  'some-ways-only',
  'not-the-rules',
] as const satisfies readonly CauseCode[];

export type CauseId = (typeof causeIds)[number];
