import type { SourceObject } from './sourceObject.ts';
import type { Sources } from './sources.ts';

/** What was read of manifests. */
export interface Loaded {
  /** In the order of the paths, documents and items. */
  readonly objects: readonly SourceObject[];
  readonly sources: Sources;
  /** What snapshots among the files say of themselves. */
  readonly snapshot?: Snapshot;
}

/** What a snapshot of a cluster says of itself: no object of a kind may mean that there is none, or that it was not shown. */
export interface Snapshot {
  /** Where it stands: `cluster.tar.gz:cluster/snapshot.json`. */
  readonly file: string;
  /** Kinds that whoever collected it may not read: `NetworkPolicy`. */
  readonly hidden: readonly string[];
  /** The objects of all namespaces were read. */
  readonly isWhole: boolean;
  /** So many of its nodes were asked and could not be read. */
  readonly unreadNodes: number;
}
