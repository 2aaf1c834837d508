import type { Live } from './openLive.ts';

/** How often a cluster that keeps changing is looked at before a fault stands. */
const mostLooks = 4;
/** For as many, however many nodes have faults; see `MayLookOnceMore`. */
const usualLooks = 2;

/**
 * The answer of a command that found a fault in `live`, or of a later look: looks again until there is no fault, nothing on
 * its way can explain it (see `Live.nextLook`), or it has stood in `mostLooks` looks. A fault stays; what kube-proxy is
 * slow to write is gone after some. `look`: reads and answers again, knowing the answer before; undefined: it could not.
 */
export async function lookAgain<T>(
  first: T,
  live: Live | undefined,
  isFault: (answer: T) => boolean,
  look: (live: Live, before: T) => Promise<T | undefined>,
): Promise<T> {
  let answer = first;
  let read = live;
  for (let looks = 1; looks < mostLooks && isFault(answer); looks += 1) {
    const isUsual = looks < usualLooks;
    const next = isUsual || read?.mayLookOnceMore() === true ? await read?.nextLook() : undefined;
    const again = next && (await look(next, answer));
    if (again === undefined) break;
    answer = again;
    read = next;
  }
  return answer;
}
