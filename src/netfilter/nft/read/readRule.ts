import type { NftRule, Statement } from '../ast.ts';
import { readStatement } from '../statements.ts';
import { type Tokens, tokenize } from './tokenizer.ts';

/** Reads one rule's text: statements, then `comment "…"`, then the `# handle 5` of `nft -a`. Never fails. */
export function readRule(text: string, isListing = false): NftRule {
  return readRuleWords(tokenize(text, isListing));
}

/** The same of words that are left, to their end. */
export function readRuleWords(words: Tokens): NftRule {
  const handle = takeHandle(words);
  const end = handle === undefined ? words.words.length : words.words.length - 3;
  const hasComment = words.words[end - 2] === 'comment' && words.words[end - 1]?.startsWith('"') === true;
  const last = hasComment ? end - 2 : end;
  const comment = hasComment ? words.words[end - 1]?.slice(1, -1) : undefined;
  const body: Tokens = last === words.words.length ? words : { ...words, words: words.words.slice(0, last) };
  const statements: Statement[] = [];
  while (body.at < last) {
    statements.push(readStatement(body));
  }
  words.at = words.words.length;
  return {
    statements,
    ...(comment === undefined ? {} : { comment }),
    ...(handle === undefined ? {} : { handle }),
  };
}

function takeHandle(words: Tokens): number | undefined {
  const [hash, name, number] = words.words.slice(-3);
  return hash === '#' && name === 'handle' && number !== undefined ? Number(number) : undefined;
}
