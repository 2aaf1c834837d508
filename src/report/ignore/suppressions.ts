import type { FindingId } from '../../problems/problemCode.ts';

/** What somebody has looked at and does not want to see again. */
export interface Suppressions {
  /** `--ignore` and k8snet.yaml: everywhere. */
  readonly ids: ReadonlySet<FindingId>;
  /** Annotations and comments of manifests, and k8snet.yaml: each for a part of them. */
  readonly scopes: readonly IgnoreScope[];
  /** Findings and rules of an earlier run. */
  readonly baseline?: Baseline;
}

/** Ids that are ignored in one file, one document of it, or one object and its Service; or for a Service alone. */
export interface IgnoreScope {
  readonly ids: ReadonlySet<FindingId>;
  /** Undefined: the scope is of its Services alone. */
  readonly file?: string;
  /** Undefined: the whole file. */
  readonly document?: number;
  /** Of the object, inside its document; undefined: the whole document. */
  readonly path?: readonly (string | number)[];
  /** Services that the scope's objects are, or belong to: `namespace/name`. */
  readonly services: ReadonlySet<string>;
  /** An annotation of a Node: findings about the node as a whole. */
  readonly isNode?: true;
}

/** Fingerprints of an earlier run. */
export interface Baseline {
  readonly findings: ReadonlySet<string>;
  readonly changes: ReadonlySet<string>;
}
