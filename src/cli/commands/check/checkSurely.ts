import { lookAgain } from '../../../live/lookAgain.ts';
import type { Messages } from '../../write/messages.ts';
import { type Asked, type CheckServiceFlags, checkOnce } from './checkOnce.ts';

/**
 * In a cluster where something changes, a node is blamed for what later looks show too: kube-proxy may be about to write
 * it. An endpoint that was deleted just before leaves no time behind by which one look could tell (see `Live`).
 */
export async function checkSurely(
  asked: Asked,
  words: readonly string[],
  options: CheckServiceFlags,
  messages: Messages,
) {
  const first = { ...(await checkOnce(asked, words, options, messages)), said: messages };
  const isBlamed = ({ answer }: typeof first) =>
    answer?.check.causes.some(({ nodes, isDoubt }) => nodes.length > 0 && !isDoubt) === true;
  return lookAgain(first, options.live, isBlamed, async (live) => {
    const said = messages.again();
    const again = await checkOnce(asked, words, { ...options, live, liveNodes: live }, said);
    return again.answer === undefined ? undefined : { ...again, said };
  });
}
