import type { LiveNeeds } from '../../live/lists/liveKinds.ts';
import type { Loaded } from '../../load/loaded.ts';
import { hiddenKinds, placeOfSnapshot } from '../../load/snapshot.ts';
import { unpackLoaded } from '../../load/unpackLoaded.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { endUnread } from '../write/endUnread.ts';
import type { Messages } from '../write/messages.ts';

/** The contents of files, followed by the objects of the cluster if one is read. */
export async function withCluster(
  files: Loaded,
  { live }: LiveFlags,
  needs: LiveNeeds,
  messages: Messages,
): Promise<Loaded> {
  if (live === undefined) {
    if (files.snapshot !== undefined) await reportHidden(files, needs, messages);
    return files;
  }
  const objects = await live.objects(needs, messages.report);
  if (objects === undefined) return endUnread(messages);
  const { sources } = files;
  const read = await unpackLoaded({ objects, sources }, messages.report);
  return files.objects.length === 0 ? read : { objects: [...files.objects, ...read.objects], sources };
}

/** What a snapshot does not hold is as unknown as it was in the cluster. */
async function reportHidden(files: Loaded, needs: LiveNeeds, messages: Messages): Promise<void> {
  const hidden = hiddenKinds(files);
  if (hidden.size === 0) return;
  const { reportHiddenKinds } = await import('../../live/hiddenKinds.ts');
  const place = placeOfSnapshot(files.snapshot?.file ?? '');
  if (!reportHiddenKinds(place, hidden, needs, messages.report)) return endUnread(messages);
}
