import type { PlanDialect } from './plan/planDialect.ts';

/** Something that a dump shows, and the versions of a mode that write it. */
export interface Fingerprint<T> {
  /** What stands in the dump, in words: `chain KUBE-XLB-…`. */
  readonly seen: string;
  readonly allows: (spelling: T, plan: PlanDialect) => boolean;
}
