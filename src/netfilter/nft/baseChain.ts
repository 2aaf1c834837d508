import type { BaseChain } from './ast.ts';
import { accept, type Tokens, takeWord } from './read/tokenizer.ts';
import { parsePriority } from './values/priority.ts';

/** Reads `type nat hook prerouting priority dstnat - 10 ; policy accept`, with or without the policy. */
export function readBaseChain(words: Tokens, family: string): BaseChain | undefined {
  const type = accept(words, 'type') ? takeWord(words) : undefined;
  const hook = accept(words, 'hook') ? takeWord(words) : undefined;
  const device = accept(words, 'device') ? takeWord(words) : undefined;
  const devices = accept(words, 'devices') ? readDevices(words) : undefined;
  if (type === undefined || hook === undefined || !accept(words, 'priority')) {
    return undefined;
  }
  let place = '';
  for (let word = takeWord(words); word !== undefined; word = takeWord(words)) {
    place += word;
  }
  const priority = parsePriority(place, family);
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
    ...(devices === undefined ? {} : { devices }),
    priority,
    ...(policy === undefined ? {} : { policy }),
  };
}

/** `= { "eth0", "eth1" }`. */
function readDevices(words: Tokens): readonly string[] | undefined {
  if (!accept(words, '=') || !accept(words, '{')) return undefined;
  const devices: string[] = [];
  while (!accept(words, '}')) {
    const device = takeWord(words);
    if (device === undefined || (words.words[words.at] !== '}' && !accept(words, ','))) return undefined;
    devices.push(device);
  }
  return devices;
}
