import type { FindingCode } from '../../problems/problemCode.ts';

/** What somebody has looked at and does not want to see again. */
export interface Suppressions {
  /** From `--ignore` and k8snet.yaml: everywhere. */
  readonly ids: ReadonlySet<FindingCode>;
  /** From annotations and comments of manifests, and k8snet.yaml: each for some of the manifests. */
  readonly scopes: readonly IgnoreScope[];
  /** Findings and rules of an earlier run. */
  readonly baseline?: Baseline;
}

/** Ids that are ignored in one file, one document in it, or one object and its Service; or for a Service alone. */
export interface IgnoreScope {
  readonly ids: ReadonlySet<FindingCode>;
  /** Undefined: the scope consists of its Services. */
  readonly file?: string;
  /** Undefined: the whole file. */
  readonly document?: number;
  /** The path of the object inside its document; undefined: the whole document. */
  readonly path?: readonly (string | number)[];
  /** Services that the scope's objects are, or belong to: `namespace/name`. */
  readonly services: ReadonlySet<string>;
  /** From an annotation of a Node: findings about the whole node. */
  readonly isNode?: true;
}

/** Fingerprints of an earlier run. */
export interface Baseline {
  readonly findings: ReadonlySet<string>;
  readonly changes: ReadonlySet<string>;
}
