import type { Evidence, Problem } from '../diagnostics/problem.ts';
import type { CauseCode } from '../problems/problemCode.ts';

/** One reason why a connection fails, or may fail although the rules are right. */
export interface Cause extends CauseDraft {
  /** In the order in which causes are checked: the first that holds is the answer. */
  readonly order: number;
  /** Numbers of the outcomes that fail in this way, from 0. */
  readonly outcomes: readonly number[];
}

/** A cause as found for one outcome. */
export interface CauseDraft extends Problem<WhyCauseCode> {
  readonly evidence: readonly Evidence[];
  readonly fix: string;
  /** The deciding fact was not given, or only assumed: the cause is possible, and nothing proves it. */
  readonly isUnknown?: true;
}

/** In their order, from 0. */
export const whyCauseCodes = [
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

export type WhyCauseCode = (typeof whyCauseCodes)[number];
