import type { SourceObject } from './sourceObject.ts';
import type { Sources } from './sources.ts';

/** What was read of manifests. */
export interface Loaded {
  /** In the order of the paths, documents and items. */
  readonly objects: readonly SourceObject[];
  readonly sources: Sources;
  /** What the snapshots among the files contain and lack. */
  readonly snapshot?: Snapshot;
}

/**
 * What a snapshot of a cluster contains and lacks. If it has no object of a kind, there may be none, or the account could
 * not see them.
 */
export interface Snapshot {
  /** Where it stands: `cluster.tar.gz:cluster/snapshot.json`. */
  readonly file: string;
  /** Kinds that the collecting account may not read: `NetworkPolicy`. */
  readonly hidden: readonly string[];
  /** The objects of all namespaces were read. */
  readonly isWhole: boolean;
  /** So many of its nodes were asked and could not be read. */
  readonly unreadNodes: number;
  /** Services (`namespace/name`) that changed while its nodes were read. */
  readonly changing: readonly string[];
}
