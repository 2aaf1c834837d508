import { count } from '../../common/text/count.ts';
import type { LiveNeeds } from '../../live/lists/liveKinds.ts';
import type { Live } from '../../live/openLive.ts';
import type { DiffReport } from '../../report/diffReport.ts';
import { findingFingerprint } from '../../report/ignore/fingerprint.ts';
import { isFailing } from '../../report/isFailing.ts';
import { nodesAtOnce, nodesNamed } from '../dumps/nodeWords.ts';
import { withEachNode } from '../dumps/readNodes.ts';
import type { LiveFlags } from '../options/liveFlags.ts';
import { endedUnread } from '../write/endUnread.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { Messages } from '../write/messages.ts';
import type { SeenState } from './seenState.ts';
import { problemLines, watchMessages } from './watchMessages.ts';

/** A command whose report about each node is looked at again and again. */
export interface WatchedNodes<T> {
  readonly words: readonly string[];
  readonly options: T;
  readonly needs: LiveNeeds | undefined;
  readonly answer: (words: readonly string[], options: T, messages: Messages) => Promise<number>;
}

type Flags = LiveFlags & { readonly node?: string; readonly watched?: (report: DiffReport) => void };

/** One look at all nodes, a few at a time. */
export async function lookAtNodes<T extends Flags>(
  { words, options, needs, answer }: WatchedNodes<T>,
  fresh: Live,
): Promise<SeenState> {
  const isLive = options.live !== undefined;
  const live = { ...options, liveNodes: fresh, ...(isLive && { live: fresh }) };
  const naming = watchMessages();
  const nodes = nodesNamed(await withEachNode(words, live, naming));
  const lines = new Map<string, string>();
  let code: number = exitCodes.ok;
  for (const [at, node] of nodes.entries()) {
    if (at % nodesAtOnce === 0) await fresh.readTogether(nodes.slice(at, at + nodesAtOnce), isLive ? needs : undefined);
    const messages = watchMessages();
    const watched = (report: DiffReport) => {
      for (const [key, text] of reportLines(report)) lines.set(`${node} ${key}`, `node ${node}: ${text}`);
    };
    const own = await answered(() =>
      answer([`node/${node}`], { ...live, node: options.node ?? node, watched }, messages),
    );
    for (const [key, text] of problemLines(messages)) lines.set(`${node} ${key}`, `node ${node}: ${text}`);
    code = Math.max(code, own);
  }
  const wrong = lines.size === 0 ? 'nothing to report' : count(lines.size, 'finding');
  return { lines, summary: `${nodes.length === 1 ? `node ${nodes[0]}` : count(nodes.length, 'node')}: ${wrong}`, code };
}

async function answered(answer: () => Promise<number>): Promise<number> {
  try {
    return await answer();
  } catch (error) {
    if (endedUnread(error)) return exitCodes.unread;
    throw error;
  }
}

/** Mere advice does not come and go in a way that matters to anybody. */
function* reportLines({ findings, changes }: DiffReport): Iterable<readonly [key: string, text: string]> {
  for (const finding of findings) {
    if (!isFailing(finding)) continue;
    const { code, service, what } = finding;
    yield [findingFingerprint(finding), `${code}${service === undefined ? '' : ` ${service}`}: ${what}`];
  }
  if (changes.length > 0)
    yield [
      `changes ${changes.length}`,
      `${count(changes.length, 'rule')} ${changes.length === 1 ? 'differs' : 'differ'} that no finding explains`,
    ];
}
