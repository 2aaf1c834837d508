import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { PlanDialect } from './plan/planDialect.ts';

/** One mode's versions of kube-proxy (or what all modes share), as values of the axes `T`. */
export interface DialectTable<T> {
  /** The values of the first row's version: every axis is given here, rows only change. */
  readonly base: T;
  /** Every version that changed something, oldest first. */
  readonly rows: readonly DialectRow<T>[];
  /** The first version that does not have the mode any more. */
  readonly removedIn?: string;
  /** The first version that calls the mode deprecated. */
  readonly deprecatedIn?: string;
  /** The decisions that the mode depends on. Default: all. */
  readonly planAxes?: readonly (keyof PlanDialect)[];
  /**
   * What a version without a patch number means for a row of a patch release: the first builds of that minor version,
   * or its newest patch.
   */
  readonly bareMinor: 'firstPatch' | 'newestPatch';
}

/** One kube-proxy version that changed something: only the changed values. */
export interface DialectRow<T> {
  /** `1.16`; `1.18.6` is a late patch release. */
  readonly version: string;
  /** The row is a back-port that later minor versions do not build on: it ends with its minor version. */
  readonly isBranch?: true;
  /** Modes that the row holds for, in a table that several modes share. Default: all. */
  readonly modes?: readonly ProxyMode[];
  /** Checked against recorded output of this version, or taken from its description. */
  readonly evidence: 'recorded' | 'described';
  /** What changed and where it is known from, for `k8snet versions`. */
  readonly origin: string;
  readonly changes: Partial<T>;
}
