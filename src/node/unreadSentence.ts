import type { UnreadLine } from './unreadLine.ts';

/** `lines 1, 34 and 2 more are not rules`, of lines of one file. */
export function unreadSentence(lines: readonly UnreadLine[]): string {
  const [only] = lines;
  if (lines.length === 1) return `line ${only?.line} is not a rule`;
  const shown = lines.slice(0, mostNamed).map(({ line }) => line);
  const more = lines.length > mostNamed ? ` and ${lines.length - mostNamed} more` : '';
  return `lines ${shown.join(', ')}${more} are not rules`;
}

const mostNamed = 5;
