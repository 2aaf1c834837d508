import type { Word } from '../netfilter/iptables/ast.ts';

/** A match that changes something, or whose result depends on previous packets. */
export function hasEffect(word: Word): boolean {
  if (word.kind === 'statistic') return word.mode === 'nth';
  if (word.kind === 'recent') return word.action !== 'rcheck';
  return word.kind === 'other' && effectful.has(word.name);
}

const effectful: ReadonlySet<string> = new Set(['limit', 'hashlimit', 'quota', 'connlimit']);
