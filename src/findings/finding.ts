import type { Family } from '../common/addresses/family.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { Problem } from '../diagnostics/problem.ts';
import type { DumpPlace } from '../node/lines/chainLines.ts';
import type { FindingCode } from '../problems/problemCode.ts';
import type { FixNames } from './fixNames.ts';

export type FindingSeverity = 'error' | 'warning' | 'info';

/**
 * The meaning of one thing in a difference, a dump or a set of manifests: what is seen, its reason, and the remedy. It
 * names objects and rules of both sides.
 */
export interface Finding extends Problem<FindingCode> {
  /** Usually that of the catalogue; some ids are milder in some circumstances. */
  readonly severity: FindingSeverity;
  /** `namespace/name:port` (no colon without a port name) or `namespace/name`; undefined: it concerns the node. */
  readonly service?: string;
  /** All Service ports that a finding about the node affects. */
  readonly services?: readonly string[];
  /** It concerns packets of this family only; undefined: both families, or the rest of the finding shows it. */
  readonly family?: Family;
  readonly why: string;
  /** Words in capitals in its commands stand for names: `fillFix`. */
  readonly fix: string;
  /** The names that the finding itself knows for them. */
  readonly names?: FixNames;
  /** Places in the manifests. */
  readonly places: readonly Origin[];
  /** Places in dumps. */
  readonly found: readonly DumpPlace[];
  /** The rules that differ, if the finding is about rules. */
  readonly rules?: readonly RuleChange[];
  /** For rules without a Service (K8N202): what each serves; undefined: it is unknown. */
  readonly unknownTargets?: readonly (UnknownTarget | undefined)[];
  /** The cluster IP of a Service is absent: the Service counts as missing. */
  readonly isServiceMissing?: true;
  /**
   * The finding is about manifests, configuration or kube-proxy's design, not about the dump: alone it never makes a
   * run fail.
   */
  readonly isAdvice: boolean;
}

/** Identified by the name in a rule (`namespace/name`), or without one by its address, or the port on all addresses. */
export type UnknownTarget =
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'address'; readonly address: string };
