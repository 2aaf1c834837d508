import type { DumpFile } from '../../../dump/dumpFile.ts';

/** What is given for one node among many. */
export interface FleetEntry {
  /** Its place in the order of the input, over all shards. */
  readonly at: number;
  /** Its name in reports: `nodes/n1`, `snapshot.tar.gz:n1`. */
  readonly given: string;
  /** The texts, if they came from an archive; otherwise the path is read. */
  readonly texts?: readonly DumpFile[];
}

/** A path that stands for one node or for several. */
export interface FleetPath {
  readonly kind: 'node' | 'archive';
  readonly path: string;
}
