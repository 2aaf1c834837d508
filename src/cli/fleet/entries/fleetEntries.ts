import type { Shard } from '../../../report/fleet/fleetReport.ts';
import { nodeOfWord } from '../../dumps/nodeWords.ts';
import { archiveNodes } from './archiveNodes.ts';
import type { FleetEntry, FleetPath } from './fleetEntry.ts';

/** A given node, or the reason why nodes of an archive cannot be read. */
export type FoundEntry =
  | { readonly kind: 'entry'; readonly entry: FleetEntry }
  | { readonly kind: 'problem'; readonly at: number; readonly given: string; readonly message: string };

/** Nodes of a cluster that are read at once, and held in memory. */
const nodesAtOnce = 4;

/** The nodes of a shard, one after another: only one node of an archive is in memory. */
export async function* fleetEntries(paths: readonly FleetPath[], shard: Shard | undefined): AsyncGenerator<FoundEntry> {
  let at = 0;
  const isAsked = () => shard === undefined || at % shard.of === shard.index;
  if (paths.some(({ kind }) => kind === 'live')) return yield* liveEntries(paths, shard);
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

/** Words for nodes of the cluster, which stand for nothing else. */
function* liveEntries(paths: readonly FleetPath[], shard: Shard | undefined): Generator<FoundEntry> {
  const asked = paths.flatMap(({ path }, at) => {
    const node = nodeOfWord(path);
    const isAsked = shard === undefined || at % shard.of === shard.index;
    return node === undefined || !isAsked ? [] : [{ at, given: path, node }];
  });
  for (const [place, { node, ...entry }] of asked.entries()) {
    const group = place % nodesAtOnce === 0 ? asked.slice(place, place + nodesAtOnce) : [];
    const live = { node, readWith: group.map((one) => one.node) };
    yield { kind: 'entry', entry: { ...entry, live } };
  }
}
