import type { BaseChain } from './ast.ts';
import { parsePriority } from './priority.ts';
import { accept, takeWord, type Words } from './words.ts';

/** Reads `type nat hook prerouting priority dstnat - 10 ; policy accept`, with or without the policy. */
export function readBaseChain(words: Words, family: string): BaseChain | undefined {
  const type = accept(words, 'type') ? takeWord(words) : undefined;
  const hook = accept(words, 'hook') ? takeWord(words) : undefined;
  const device = accept(words, 'device') ? takeWord(words) : undefined;
  if (type === undefined || hook === undefined || !accept(words, 'priority')) {
    return undefined;
  }
  let place = '';
  for (let word = takeWord(words); word !== undefined; word = takeWord(words)) {
    place += word;
  }
  const priority = parsePriority(place, family, hook);
  if (priority === undefined) {
    return undefined;
  }
  const semicolon = words.at;
  accept(words, ';');
  const policy = accept(words, 'policy') ? takeWord(words) : undefined;
  if (policy === undefined) {
    words.at = semicolon;
  }
  return {
    type,
    hook,
    ...(device === undefined ? {} : { device }),
    priority,
    ...(policy === undefined ? {} : { policy }),
  };
}
