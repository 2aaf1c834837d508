/** The result of one look at a cluster: a line for each thing that is wrong or unknown, by its key. */
export interface SeenState {
  readonly lines: ReadonlyMap<string, string>;
  /** In a few words: `shop/web is in order`. */
  readonly summary: string;
  /** The exit code of a single look with this result. */
  readonly code: number;
}

/** One line of `--watch`. */
export interface WatchEvent {
  readonly event: 'state' | 'new' | 'gone';
  readonly text: string;
}

/** What changed between two looks: what is new, what has gone, and the summary if it changed. */
export function eventsBetween(before: SeenState | undefined, now: SeenState): readonly WatchEvent[] {
  const events: WatchEvent[] = [];
  for (const [key, text] of now.lines) if (!before?.lines.has(key)) events.push({ event: 'new', text });
  for (const [key, text] of before?.lines ?? []) if (!now.lines.has(key)) events.push({ event: 'gone', text });
  if (now.summary !== before?.summary) events.push({ event: 'state', text: now.summary });
  return events;
}
