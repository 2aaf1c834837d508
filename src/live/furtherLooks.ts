/**
 * Whether a third or later look at a node may be taken; asking counts as one. There are a dozen a minute for one cluster:
 * where many nodes have faults, each look at each of them takes seconds, and who waits has an incident.
 */
export type MayLookOnceMore = () => boolean;

export function openFurtherLooks(): MayLookOnceMore {
  /** When they were taken, in the last minute. */
  const taken: number[] = [];
  return () => {
    const now = performance.now();
    while (taken[0] !== undefined && taken[0] < now - minute) taken.shift();
    if (taken.length >= mostInMinute) return false;
    taken.push(now);
    return true;
  };
}

const minute = 60_000;
const mostInMinute = 12;
