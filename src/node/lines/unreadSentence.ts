import { firstFew } from '../../common/text/firstFew.ts';
import type { UnreadLine } from './unreadLine.ts';

/** `lines 1, 34 and 2 more are not rules`, for lines of one file. */
export function unreadSentence(lines: readonly UnreadLine[]): string {
  const [only] = lines;
  if (lines.length === 1) return `line ${only?.line} is not a rule`;
  const numbers = lines.map(({ line }) => line);
  return `lines ${firstFew(numbers, 5)} are not rules`;
}
