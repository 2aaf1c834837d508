import { addTo } from '../../common/addTo.ts';
import { isProse } from './isProse.ts';
import type { UnreadLine } from './unreadLine.ts';

/**
 * Separates lines that may be damaged rules from sentences and prompts around rules, which are harmless and listed by
 * file.
 */
export function splitProse(unread: readonly UnreadLine[]): {
  readonly damaged: readonly UnreadLine[];
  readonly prose: ReadonlyMap<string, readonly UnreadLine[]>;
} {
  const prose = new Map<string, UnreadLine[]>();
  const damaged: UnreadLine[] = [];
  for (const line of unread) {
    if (isProse(line.text)) addTo(prose, line.file, line);
    else damaged.push(line);
  }
  return { damaged, prose };
}
