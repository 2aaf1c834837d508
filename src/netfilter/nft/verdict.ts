import type { Verdict } from './ast.ts';
import { asRecord, asText, only } from './read/jsonValue.ts';
import { type Tokens, takeWord } from './read/tokenizer.ts';

/** Reads `accept`, `goto chain`; undefined if no verdict begins here. */
export function readVerdict(words: Tokens): Verdict | undefined {
  const kind = words.words[words.at];
  if (kind === 'jump' || kind === 'goto') {
    words.at += 1;
    const chain = takeWord(words);
    return chain === undefined ? undefined : { kind, chain };
  }
  if (kind === 'accept' || kind === 'drop' || kind === 'return' || kind === 'continue') {
    words.at += 1;
    return simple[kind];
  }
  return undefined;
}

export function writeVerdict(verdict: Verdict): string {
  return 'chain' in verdict ? `${verdict.kind} ${verdict.chain}` : verdict.kind;
}

export function verdictFromJson(value: unknown): Verdict | undefined {
  const [kind, body] = only(value) ?? [];
  if (kind === 'jump' || kind === 'goto') {
    const chain = asText(asRecord(body)?.target);
    return chain === undefined ? undefined : { kind, chain };
  }
  return kind === 'accept' || kind === 'drop' || kind === 'return' || kind === 'continue' ? simple[kind] : undefined;
}

/** Verdicts without a chain are the same everywhere: one object each. */
const simple = {
  accept: { kind: 'accept' },
  drop: { kind: 'drop' },
  return: { kind: 'return' },
  continue: { kind: 'continue' },
} as const;
