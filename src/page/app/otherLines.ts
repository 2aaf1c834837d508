/** Numbers (from 1) of the lines of a text that another does not have, or not as often; the order does not count. */
export function otherLines(text: string, other: string): ReadonlySet<number> {
  const counts = new Map<string, number>();
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  const found = new Set<number>();
  for (const [at, line] of text.split('\n').entries()) {
    const left = counts.get(line) ?? 0;
    if (left === 0) found.add(at + 1);
    else counts.set(line, left - 1);
  }
  return found;
}
