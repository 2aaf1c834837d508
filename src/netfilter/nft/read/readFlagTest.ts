import type { Selector } from '../ast.ts';
import type { FlagTest } from '../meaning/flagTest.ts';
import type { Tokens } from './tokenizer.ts';

/** Reads one; undefined: none, and the words are as they were. */
export function readFlagTest(words: Tokens, left: Selector): FlagTest | undefined {
  if (!hasFlags(left)) return undefined;
  const start = words.at;
  const read = readTest(words);
  if (read === undefined || !isNeeded(left, read)) {
    words.at = start;
    return undefined;
  }
  return { ...read, text: textOf(words.words.slice(start, words.at)) };
}

function hasFlags(left: Selector): boolean {
  if (left.kind === 'payload') return left.protocol === 'tcp' && left.field === 'flags';
  return left.kind === 'ct' && (left.key === 'state' || left.key === 'status');
}

/** A connection has one state: a comparison with one state does not test bits. */
function isNeeded(left: Selector, { mask, flags }: Omit<FlagTest, 'text'>): boolean {
  return mask !== undefined || flags.length > 1 || !(left.kind === 'ct' && left.key === 'state');
}

function readTest(words: Tokens): Omit<FlagTest, 'text'> | undefined {
  if (take(words, '!')) {
    const mask = readFlags(words);
    return mask && { mask, flags: [], isUnequal: false };
  }
  if (take(words, '&')) {
    const mask = readFlags(words);
    const isUnequal = take(words, '!=');
    if (mask === undefined || !(isUnequal || take(words, '=='))) return undefined;
    const flags = readFlags(words);
    return flags && { mask, flags, isUnequal };
  }
  const isUnequal = take(words, '!=');
  const isExplicit = isUnequal || take(words, '==');
  const flags = readFlags(words);
  if (flags === undefined) return undefined;
  if (take(words, '/')) {
    const mask = readFlags(words);
    return mask && { mask, flags, isUnequal };
  }
  return isExplicit ? { flags, isUnequal } : undefined;
}

function take(words: Tokens, expected: string): boolean {
  if (words.words[words.at] !== expected) return false;
  words.at += 1;
  return true;
}

/** `syn`, `syn,ack`, `syn | ack`, `(syn|ack)`, `0x2`, `0`. */
function readFlags(words: Tokens): readonly string[] | undefined {
  const flags: string[] = [];
  for (;;) {
    const word = words.words[words.at];
    if (word === undefined || !/^\(?[\w-]+(?:\|[\w-]+)*\)?$/.test(word)) return undefined;
    words.at += 1;
    flags.push(...word.replace(/^\(|\)$/g, '').split('|'));
    const next = words.words[words.at];
    if (next !== ',' && next !== '|') return /^0(?:x0+)?$/.test(flags.join()) ? [] : flags;
    words.at += 1;
  }
}

function textOf(words: readonly string[]): string {
  return words.join(' ').replaceAll(' , ', ',');
}
