import type { ClusterApi } from './clusterApi.ts';

/**
 * The few things that are written to a cluster: Events, a condition of a Node, and questions that the API server takes
 * as objects. Everything else only reads, with `ClusterApi`.
 */
export interface ClusterWriter {
  readonly create: (path: string, object: object) => Promise<WriteAnswer>;
  /** A merge patch; `strategic`: lists are merged by their keys. */
  readonly patch: (path: string, object: object, kind: 'merge' | 'strategic') => Promise<WriteAnswer>;
}

/** `exists`: there is one of this name. */
export type WriteAnswer =
  | { readonly kind: 'done'; readonly text: string }
  | { readonly kind: 'exists' }
  | { readonly kind: 'forbidden' | 'failed'; readonly message: string };

/** A cluster that may be read and, on request, written to. */
export interface OpenCluster {
  readonly api: ClusterApi;
  /** Undefined: this way to the cluster only reads. */
  readonly writer: ClusterWriter;
}
