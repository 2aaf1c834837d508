import type { ClusterApi } from './clusterApi.ts';

/**
 * What little is written to a cluster, by those who say so: Events, a condition of a Node, and questions that the API server
 * takes as objects. Everything else reads, with `ClusterApi`.
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

/** A cluster that may be read and, where somebody asks for it, written to. */
export interface OpenCluster {
  readonly api: ClusterApi;
  /** Undefined: this way to the cluster only reads. */
  readonly writer: ClusterWriter;
}
