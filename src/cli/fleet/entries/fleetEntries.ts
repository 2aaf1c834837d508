import type { Shard } from '../../../report/fleet/fleetReport.ts';
import { nodeOfWord, nodesAtOnce } from '../../dumps/nodeWords.ts';
import { archiveNodes } from './archiveNodes.ts';
import type { FleetEntry, FleetPath } from './fleetEntry.ts';

/** A given node, or the reason why nodes of an archive cannot be read. */
export type FoundEntry =
  | { readonly kind: 'entry'; readonly entry: FleetEntry }
  | { readonly kind: 'problem'; readonly at: number; readonly given: string; readonly message: string };

/** The nodes of a shard, one after another: only one node of an archive is in memory. */
export async function* fleetEntries(paths: readonly FleetPath[], shard: Shard | undefined): AsyncGenerator<FoundEntry> {
  let at = 0;
  if (paths.some(({ kind }) => kind === 'live')) return yield* liveEntries(paths, shard);
  for (const { kind, path } of paths) {
    if (kind === 'node') {
      if (isOfShard(at, shard)) yield { kind: 'entry', entry: { at, given: path } };
      at += 1;
      continue;
    }
    for await (const packed of archiveNodes(path)) {
      if (packed.kind === 'problem') yield { kind: 'problem', at, given: path, message: packed.message };
      else if (isOfShard(at, shard))
        yield { kind: 'entry', entry: { at, given: `${path}:${packed.node}`, texts: packed.texts } };
      at += 1;
    }
  }
}

function isOfShard(at: number, shard: Shard | undefined): boolean {
  return shard === undefined || at % shard.of === shard.index;
}

/** Words for nodes of the cluster, which stand for nothing else. */
function* liveEntries(paths: readonly FleetPath[], shard: Shard | undefined): Generator<FoundEntry> {
  const asked = paths.flatMap(({ path }, at) => {
    const node = nodeOfWord(path);
    return node === undefined || !isOfShard(at, shard) ? [] : [{ at, given: path, node }];
  });
  for (const [place, { node, ...entry }] of asked.entries()) {
    const group = place % nodesAtOnce === 0 ? asked.slice(place, place + nodesAtOnce) : [];
    const live = { node, readWith: group.map((one) => one.node) };
    yield { kind: 'entry', entry: { ...entry, live } };
  }
}
