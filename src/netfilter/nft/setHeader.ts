import type { NftSet } from './ast.ts';
import { accept, type Tokens, takeList, takeNumber, takeWord } from './read/tokenizer.ts';
import { parseDuration } from './values/duration.ts';

export type SetHeader = Omit<NftSet, 'kind' | 'name' | 'handle' | 'elements'>;

/** Reads one property of a set or map (`type …`, `flags …`) into the header; undefined: not a property. */
export function readSetProperty(words: Tokens, header: SetHeader): SetHeader | undefined {
  const name = takeWord(words);
  switch (name) {
    case 'type':
      return readTypes(words, header);
    case 'typeof': {
      const start = words.at;
      while (takeWord(words) !== undefined) {}
      return { ...header, typeOf: words.words.slice(start, words.at).join(' ') };
    }
    case 'flags': {
      const flags = takeList(words);
      return flags === undefined ? undefined : { ...header, flags };
    }
    case 'size': {
      const size = takeNumber(words);
      return size === undefined ? undefined : { ...header, size };
    }
    case 'timeout':
    case 'gc-interval': {
      const duration = parseDuration(takeWord(words) ?? '');
      return duration === undefined
        ? undefined
        : name === 'timeout'
          ? { ...header, timeout: duration }
          : { ...header, gcInterval: duration };
    }
    case 'policy': {
      const policy = takeWord(words);
      return policy === undefined ? undefined : { ...header, policy };
    }
    case 'auto-merge':
      return { ...header, hasAutoMerge: true };
    case 'comment': {
      const comment = takeWord(words);
      return comment === undefined ? undefined : { ...header, comment };
    }
    case 'counter':
    case 'limit':
    case 'quota':
    case 'last':
    case 'ct': {
      const rest = words.words.slice(words.at);
      words.at = words.words.length;
      const statement = [name, ...rest].join(' ').replace(/^counter packets .*/, 'counter');
      return { ...header, statements: [...(header.statements ?? []), statement] };
    }
    default:
      return undefined;
  }
}

function readTypes(words: Tokens, header: SetHeader): SetHeader | undefined {
  const type = readParts(words);
  if (type === undefined || !accept(words, ':')) {
    return type === undefined ? undefined : { ...header, type };
  }
  const valueType = readParts(words);
  return valueType === undefined ? undefined : { ...header, type, valueType };
}

function readParts(words: Tokens): readonly string[] | undefined {
  const parts: string[] = [];
  do {
    const part = takeWord(words);
    if (part === undefined) {
      return undefined;
    }
    parts.push(part);
  } while (accept(words, '.'));
  return parts;
}
