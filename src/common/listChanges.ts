/** What one list has more often than another one, by identity; the order does not matter. */
export interface ListChanges<T> {
  readonly gone: readonly T[];
  readonly added: readonly T[];
}

/** Quick where most items stand at the same distance from the beginning or from the end. */
export function listChanges<T>(before: readonly T[], now: readonly T[]): ListChanges<T> {
  const shorter = Math.min(before.length, now.length);
  let from = 0;
  while (from < shorter && before[from] === now[from]) from += 1;
  let behind = 0;
  while (behind < shorter - from && before.at(-1 - behind) === now.at(-1 - behind)) behind += 1;
  const counts = new Map<T, number>();
  for (let at = from; at < now.length - behind; at += 1) {
    const item = now[at] as T;
    counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  const gone: T[] = [];
  for (let at = from; at < before.length - behind; at += 1) {
    const item = before[at] as T;
    const count = counts.get(item) ?? 0;
    if (count === 0) gone.push(item);
    else counts.set(item, count - 1);
  }
  const added: T[] = [];
  for (const [item, count] of counts) for (let more = 0; more < count; more += 1) added.push(item);
  return { gone, added };
}
