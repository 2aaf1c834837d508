import { addTo } from '../../common/addTo.ts';
import { isProse } from './isProse.ts';
import type { UnreadLine } from './unreadLine.ts';

/** Lines that may be damaged rules, and by file the sentences and prompts around rules, which are no damage. */
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
