import type { Evidence, Problem } from '../diagnostics/problem.ts';
import type { CauseCode } from '../problems/problemCode.ts';
import type { SaidOf } from './likewise.ts';

/** Why a Service does not do what it should, with what shows it and what mends it. */
export interface AidCause extends Problem<AidCauseCode> {
  readonly evidence: readonly Evidence[];
  readonly fix: string;
  /** The nodes that show it; empty: it is a matter of objects. */
  readonly nodes: readonly string[];
  /** What `k8snet explain` knows of it: `K8N203`, `selector-matches-nothing`. */
  readonly detail?: string;
  /** It is shown, and whether it matters is not: only a look at what was not given tells. */
  readonly isDoubt?: true;
  readonly of?: SaidOf;
}

/**
 * In the order in which causes have to be fixed: while an earlier one holds, fixing a later one changes nothing that a
 * client sees.
 */
export const aidCauseCodes = [
  'no-such-service',
  'no-such-port',
  'external-name',
  'selector',
  'pods-not-ready',
  'port-name',
  'target-port-name',
  'no-endpoints',
  'network-policy',
  'kube-proxy',
  'no-rules',
  'service-missing',
  'rules-damaged',
  'two-modes',
  'kernel-setting',
  'other-program',
  'packet-lost',
  'stale-connection',
  'target-port',
  'dns',
] as const satisfies readonly CauseCode[];

export type AidCauseCode = (typeof aidCauseCodes)[number];
