import type { WalkFlags } from '../dumps/readWalkNode.ts';
import type { Messages } from '../write/messages.ts';
import type { ReadInput } from './readInput.ts';

/** The manifests beside dumps of several nodes; undefined: none are given. */
export async function readWalkManifests(
  { filename, recursive = false, ...options }: WalkFlags,
  messages: Messages,
): Promise<ReadInput | undefined> {
  if (filename === undefined) return undefined;
  const [{ readInput }, { rulesNeeds, withPods }] = await Promise.all([
    import('./readInput.ts'),
    import('./liveNeeds.ts'),
  ]);
  return readInput({ ...options, filename, recursive }, messages, false, withPods(rulesNeeds(options)));
}
