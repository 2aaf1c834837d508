import type { DiagnosticCode } from '../problems/problemCode.ts';

/** Objects with errors, which no check sees: what they would be is not missing. */
export interface Refused {
  /** Namespaces of such Services. */
  readonly services: ReadonlySet<string>;
  /** Of such objects of all other kinds: Pods, what starts them, EndpointSlices, Secrets, kinds that are not read. */
  readonly others: ReadonlySet<string>;
  readonly hasNamespace: boolean;
  /** What a run without such an object might not say. */
  readonly mayExplain: ReadonlySet<DiagnosticCode>;
}

export const noneRefused: Refused = {
  services: new Set(),
  others: new Set(),
  hasNamespace: false,
  mayExplain: new Set(),
};
