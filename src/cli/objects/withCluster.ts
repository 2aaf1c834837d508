import type { LiveNeeds } from '../../live/liveKinds.ts';
import type { Loaded } from '../../load/loaded.ts';
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
  if (live === undefined) return files;
  const objects = await live.objects(needs, messages.report);
  if (objects === undefined) return endUnread(messages);
  const { sources } = files;
  const read = await unpackLoaded({ objects, sources }, messages.report);
  return files.objects.length === 0 ? read : { objects: [...files.objects, ...read.objects], sources };
}
