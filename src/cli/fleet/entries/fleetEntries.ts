import type { Shard } from '../../../report/fleet/fleetReport.ts';
import { archiveNodes } from './archiveNodes.ts';
import type { FleetEntry, FleetPath } from './fleetEntry.ts';

/** A given node, or the reason why nodes of an archive cannot be read. */
export type FoundEntry =
  | { readonly kind: 'entry'; readonly entry: FleetEntry }
  | { readonly kind: 'problem'; readonly at: number; readonly given: string; readonly message: string };

/** The nodes of a shard, one after another: only one node of an archive is in memory. */
export async function* fleetEntries(paths: readonly FleetPath[], shard: Shard | undefined): AsyncGenerator<FoundEntry> {
  let at = 0;
  const isAsked = () => shard === undefined || at % shard.of === shard.index;
  for (const { kind, path } of paths) {
    if (kind === 'node') {
      if (isAsked()) yield { kind: 'entry', entry: { at, given: path } };
      at += 1;
      continue;
    }
    for await (const packed of archiveNodes(path)) {
      if (packed.kind === 'problem') yield { kind: 'problem', at, given: path, message: packed.message };
      else if (isAsked()) yield { kind: 'entry', entry: { at, given: `${path}:${packed.node}`, texts: packed.texts } };
      at += 1;
    }
  }
}
