import type { Family } from '../common/family.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { DumpPlace } from '../node/lines/chainLines.ts';
import type { FixNames } from './fixNames.ts';

/** Stable ids of the catalogue of findings: `K8N203`. */
export type FindingId = `K8N${number}`;

export type FindingSeverity = 'error' | 'warning' | 'info';

/**
 * One thing that a difference, a dump or a set of manifests means: what is seen, why it is so, how to fix it. Objects
 * and rules are named on both sides.
 */
export interface Finding {
  readonly id: FindingId;
  /** Mostly that of the catalogue; some ids are milder in some circumstances. */
  readonly severity: FindingSeverity;
  /** `namespace/name:port` (no colon without port name) or `namespace/name`; undefined: it concerns the node. */
  readonly service?: string;
  /** Service ports that a finding of the node is about, all of them: none is as it should be. */
  readonly services?: readonly string[];
  /** It concerns packets of this family alone; undefined: of both, or the rest of the finding tells. */
  readonly family?: Family;
  /** What is seen, in one line, with addresses and names. */
  readonly seen: string;
  readonly why: string;
  /** Words in capitals in its commands stand for names: `fillFix`. */
  readonly fix: string;
  /** What the finding itself knows of them. */
  readonly names?: FixNames;
  /** Places in the manifests. */
  readonly expected: readonly Origin[];
  /** Places in dumps. */
  readonly found: readonly DumpPlace[];
  /** The rules that differ, if the finding is about rules. */
  readonly rules?: readonly RuleChange[];
  /** Of rules that no Service has (K8N202): whom each serves; undefined: it does not tell. */
  readonly unknownTargets?: readonly (UnknownTarget | undefined)[];
  /** The cluster IP of a Service is not there: the Service counts as missing. */
  readonly isServiceMissing?: true;
  /** The finding is about manifests, configuration or kube-proxy's design, not about the dump: it fails no run by itself. */
  readonly isAdvice: boolean;
}

/** By the name that a rule bears (`namespace/name`), or without one by its address, or the port of all addresses. */
export type UnknownTarget =
  | { readonly kind: 'service'; readonly name: string }
  | { readonly kind: 'address'; readonly address: string };
