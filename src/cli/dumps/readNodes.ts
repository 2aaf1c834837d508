import type { DumpFile } from '../../dump/dumpFile.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { endUnread } from '../write/endUnread.ts';
import type { Messages } from '../write/messages.ts';
import { allNodes, nodeOfWord } from './nodeWords.ts';

/** Messages of reading, printed before it ends a run. */
export type Said = Pick<Messages, 'report' | 'flush'>;

/**
 * The words, each node of the cluster in the place of `nodes`. Where who asks has an answer without them, `hide` is called if the
 * account may not read their names.
 */
export async function withEachNode(
  words: readonly string[],
  { liveNodes, selector }: LiveFlags,
  messages: Said,
  hide?: () => void,
): Promise<readonly string[]> {
  if (liveNodes === undefined || !words.includes(allNodes)) return words;
  const names = await liveNodes.nodeNames(selector, messages.report, hide);
  if (names === undefined) return endUnread(messages);
  return words.flatMap((word) => (word === allNodes ? names.map((name) => `node/${name}`) : [word]));
}

/** The contents of the nodes that words name; a run ends here if its node cannot be read. */
export async function readLiveNode(
  word: string,
  { liveNodes }: LiveFlags,
  messages: Said,
): Promise<readonly DumpFile[] | undefined> {
  const node = nodeOfWord(word);
  if (liveNodes === undefined || node === undefined) return undefined;
  const files = await liveNodes.node(node, messages.report);
  return files ?? endUnread(messages);
}
