import type { Messages } from '../../write/messages.ts';
import { type Asked, type CheckServiceFlags, checkOnce } from './checkOnce.ts';

/**
 * In a cluster a node is blamed for what a second look shows too: kube-proxy may be about to write it. An endpoint that was
 * deleted just before leaves no time behind by which one look could tell (see `Live`).
 */
export async function checkSurely(
  asked: Asked,
  words: readonly string[],
  options: CheckServiceFlags,
  messages: Messages,
) {
  const first = { answer: await checkOnce(asked, words, options, messages), said: messages };
  const { live } = options;
  const isBlamed = first.answer?.check.causes.some(({ nodes, isDoubt }) => nodes.length > 0 && !isDoubt);
  if (live === undefined || isBlamed !== true) return first;
  const fresh = await live.secondLook();
  if (fresh === undefined) return first;
  const said = messages.again();
  const answer = await checkOnce(asked, words, { ...options, live: fresh, liveNodes: fresh }, said);
  return answer === undefined ? first : { answer, said };
}
