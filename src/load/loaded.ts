import type { Snapshot } from './snapshot.ts';
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
