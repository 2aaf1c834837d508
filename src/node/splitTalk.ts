import { addTo } from '../common/addTo.ts';
import { isTalk } from './isTalk.ts';
import type { UnreadLine } from './unreadLine.ts';

/** Lines that may be damaged rules, and by file the sentences and prompts around rules, which are no damage. */
export function splitTalk(unread: readonly UnreadLine[]): {
  readonly damaged: readonly UnreadLine[];
  readonly talk: ReadonlyMap<string, readonly UnreadLine[]>;
} {
  const talk = new Map<string, UnreadLine[]>();
  const damaged: UnreadLine[] = [];
  for (const line of unread) {
    if (isTalk(line.text)) addTo(talk, line.file, line);
    else damaged.push(line);
  }
  return { damaged, talk };
}
