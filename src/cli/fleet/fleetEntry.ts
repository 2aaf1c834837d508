import type { DumpFile } from '../../dump/dumpFile.ts';

/** What is given of one node among many. */
export interface FleetEntry {
  /** Its place in the order of what was given, of all shards. */
  readonly at: number;
  /** As reports name it: `nodes/n1`, `snapshot.tar.gz:n1`. */
  readonly given: string;
  /** The texts, where they came out of an archive; else the path is read. */
  readonly texts?: readonly DumpFile[];
}

/** A path that stands for one node or for several. */
export interface FleetPath {
  readonly kind: 'node' | 'archive';
  readonly path: string;
}
