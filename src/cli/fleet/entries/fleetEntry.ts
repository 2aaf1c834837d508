import type { DumpFile } from '../../../dump/dumpFile.ts';

/** What is given for one node among many. */
export interface FleetEntry {
  /** Its place in the order of the input, over all shards. */
  readonly at: number;
  /** Its name in reports: `nodes/n1`, `snapshot.tar.gz:n1`. */
  readonly given: string;
  /** A node of the cluster, which is read there. */
  readonly live?: LiveEntry;
  /** The texts, if they came from an archive; otherwise the path is read. */
  readonly texts?: readonly DumpFile[];
}

export interface LiveEntry {
  readonly node: string;
  /** Nodes that are read together with it; none: it was read with an earlier one. */
  readonly readWith: readonly string[];
}

/** A path that stands for one node or for several, or the word for a node of the cluster: `node/n1`. */
export interface FleetPath {
  readonly kind: 'node' | 'archive' | 'live';
  readonly path: string;
}
