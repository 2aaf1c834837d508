import type { Snapshot } from '../../load/loaded.ts';
import type { LiveFlags } from '../options/liveFlags.ts';

/** Services (`namespace/name`) that changed while nodes were read: now in the cluster, or when the snapshot was taken. */
export function changingServices({ live }: LiveFlags, snapshot: Snapshot | undefined): ReadonlySet<string> {
  return live?.changing() ?? new Set(snapshot?.changing);
}
