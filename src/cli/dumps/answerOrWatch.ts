import type { LiveNeeds } from '../../live/lists/liveKinds.ts';
import type { Live } from '../../live/openLive.ts';
import type { MessageOptions } from '../options/commonOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { endMisused } from '../options/refuseOption.ts';
import type { WatchedNodes } from '../watch/watchNodes.ts';
import type { WatchFlags } from '../watch/watchOptions.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import { isNodeWord, nodesNamed } from './nodeWords.ts';

/** A command about one node, perhaps of a cluster; of several nodes only where it watches: others are a fleet. */
interface NodeCommand<T> {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: T;
  /** What the command reads of the cluster's objects with a node. */
  readonly needs: LiveNeeds;
  /** The answer about one node, or about the words as they are. */
  readonly answer: (words: readonly string[], options: T, messages: Messages) => Promise<number>;
}

type Flags = LiveFlags &
  WatchFlags &
  MessageOptions & { readonly node?: string; readonly output: string; readonly filename?: readonly string[] };

/** The exit code: of the answer, or of the last look. */
export async function answerOrWatch<T extends Flags>({
  name,
  words,
  options,
  needs,
  answer,
}: NodeCommand<T>): Promise<number> {
  const messages = collectMessages(options);
  if (options.watch === true) {
    const wrong = misuseOfWatch(words, options);
    if (wrong === undefined) return watchNodes({ words, options, needs, answer });
    return endMisused(messages, name, wrong);
  }
  const { live, liveNodes } = options;
  const nodes = liveNodes === undefined ? [] : nodesNamed(words);
  await liveNodes?.readTogether(nodes, nodes.length > 0 && live ? needs : undefined);
  return answer(words, options, messages);
}

async function watchNodes<T extends Flags>(watched: WatchedNodes<T>): Promise<number> {
  const [{ watchCluster }, { lookAtNodes }] = await Promise.all([
    import('../watch/watchCluster.ts'),
    import('../watch/watchNodes.ts'),
  ]);
  const { live, liveNodes, interval = 0, output } = watched.options;
  return watchCluster({
    live: liveNodes as Live,
    needs: live && watched.needs,
    interval,
    isJson: output === 'json',
    look: (fresh) => lookAtNodes(watched, fresh),
  });
}

function misuseOfWatch(words: readonly string[], { liveNodes, output, filename }: Flags): string | undefined {
  if (liveNodes === undefined || !words.every(isNodeWord))
    return '--watch looks at nodes of a cluster: --live with node/NAME or nodes';
  if ((filename ?? []).length > 0) return '--watch reads the objects of the cluster: leave -f out';
  return output === 'text' || output === 'json' ? undefined : `--output ${output}: --watch prints text or json`;
}
