/**
 * The candidate that `word` is most likely a misspelling of, or undefined when none is close. Case counts only between
 * candidates that are otherwise equally close. `word` may be anything that a file holds, so long words are not
 * compared.
 */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > longestWord) return undefined;
  const lower = word.toLowerCase();
  let best: string | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    if (candidate === word || candidate.length > longestWord) continue;
    const longer = Math.max(word.length, candidate.length);
    const limit = longer < 2 ? 0.5 : Math.max(1, Math.floor(longer * 0.35));
    if (Math.abs(word.length - candidate.length) > limit) continue;
    const otherLower = candidate.toLowerCase();
    // Counting case as half a step keeps `clusterIp` nearer to clusterIP than to clusterIPs.
    const cost = otherLower === lower ? 0.5 : distance(lower, otherLower);
    if (cost <= limit && cost < bestCost) {
      best = candidate;
      bestCost = cost;
    }
  }
  return best;
}

const longestWord = 64;

/** Letters inserted, left out, changed or swapped with their neighbor (optimal string alignment). */
function distance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let cost = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + change,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, (beforeLast[column - 2] as number) + 1);
      }
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] as number;
}
