import { escapeText } from '../../common/text/escapeText.ts';
import type { LiveNeeds } from '../../live/lists/liveKinds.ts';
import type { Live } from '../../live/openLive.ts';
import { worstCode } from '../fleet/worstCode.ts';
import type { MessageOptions } from '../options/commonOptions.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { refuseOption } from '../options/refuseOption.ts';
import type { WatchedNodes } from '../watch/watchNodes.ts';
import type { WatchFlags } from '../watch/watchOptions.ts';
import { endedUnread } from '../write/endUnread.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { collectMessages, type Messages } from '../write/messages.ts';
import { progressLine } from '../write/progressLine.ts';
import { writeOut } from '../write/writeOut.ts';
import { allNodes, nodeOfWord } from './nodeWords.ts';
import { withEachNode } from './readNodes.ts';

/** For a command whose answer may be about several nodes, one after another: `node/n1 node/n2`, or `nodes`. */
interface NodeCommand<T> {
  readonly name: string;
  readonly words: readonly string[];
  readonly options: T;
  /** What the command reads of the cluster's objects for each node. */
  readonly needs: LiveNeeds;
  /** The answer about one node, or about the words as they are. */
  readonly answer: (words: readonly string[], options: T, messages: Messages) => Promise<number>;
}

type Flags = LiveFlags &
  WatchFlags &
  MessageOptions & { readonly node?: string; readonly output: string; readonly filename?: readonly string[] };

/** The worst exit code of all. */
export async function eachNode<T extends Flags>({
  name,
  words,
  options,
  needs,
  answer,
}: NodeCommand<T>): Promise<number> {
  const messages = collectMessages(options);
  if (options.watch === true) {
    const wrong = misuseOfWatch(words, options);
    if (wrong === undefined) return watchEachNode({ words, options, needs, answer });
    const code = refuseOption(messages, name, wrong);
    await messages.flush();
    return code;
  }
  const all = await withEachNode(words, options, messages);
  const { live, liveNodes } = options;
  const nodes = liveNodes === undefined ? [] : all.flatMap((word) => nodeOfWord(word) ?? []);
  if (nodes.length < 2 && all === words) {
    await liveNodes?.readTogether(nodes, nodes.length > 0 && live ? needs : undefined);
    return answer(words, options, messages);
  }
  const wrong = misuseOf(nodes, all, options);
  if (wrong !== undefined) {
    const code = refuseOption(messages, name, wrong);
    await messages.flush();
    return code;
  }
  const line = progressLine('node', options.quiet);
  let worst: number = exitCodes.ok;
  const told = new Set<string>();
  for (const [at, node] of nodes.entries()) {
    if (at % nodesAtOnce === 0) {
      line.report(at, nodes.length);
      await liveNodes?.readTogether(nodes.slice(at, at + nodesAtOnce), live && needs);
      line.end();
    }
    writeOut([`${at === 0 ? '' : '\n'}node ${escapeText(node)}\n`]);
    const code = await answered(() =>
      answer([`node/${node}`], { ...options, node }, collectMessages({ ...options, told })),
    );
    worst = worstCode([worst, code]);
  }
  return worst;
}

/** Read at once, and held in memory. */
const nodesAtOnce = 4;

/** A node that cannot be read proves nothing about the others. */
async function answered(answer: () => Promise<number>): Promise<number> {
  try {
    return await answer();
  } catch (error) {
    if (endedUnread(error)) return exitCodes.unread;
    throw error;
  }
}

async function watchEachNode<T extends Flags>(watched: WatchedNodes<T>): Promise<number> {
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
  const isOfNodes = words.every((word) => word === allNodes || nodeOfWord(word) !== undefined);
  if (liveNodes === undefined || !isOfNodes)
    return '--watch looks at nodes of a cluster: --live with node/NAME or nodes';
  if ((filename ?? []).length > 0) return '--watch reads the objects of the cluster: leave -f out';
  return output === 'text' || output === 'json' ? undefined : `--output ${output}: --watch prints text or json`;
}

function misuseOf(nodes: readonly string[], words: readonly string[], { node, output }: Flags): string | undefined {
  if (words.length > nodes.length) return 'nodes of the cluster and files do not go together: give one or the other';
  if (node !== undefined) return '--node and several nodes exclude each other: each is compiled for itself';
  return output === 'text' ? undefined : `--output ${output} is about one node: name it as node/NAME`;
}
