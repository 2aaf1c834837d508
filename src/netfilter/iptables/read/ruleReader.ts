import type { HeaderWord, MatchOption } from '../ast.ts';
import { matchGrammar } from '../options/matchOptions.ts';
import type { OptionGrammar } from '../options/optionGrammar.ts';

/** A match or target while its options are read. */
export interface Extension {
  readonly name: string;
  readonly isTarget: boolean;
  readonly isGoto: boolean;
  readonly grammar: OptionGrammar | undefined;
  readonly options: MatchOption[];
  /** How many words of the rule were there when the first option came. */
  firstOptionAt: number;
  isBare: boolean;
}

/** A line while it is read. */
export interface Reader {
  readonly words: readonly string[];
  readonly quoted: readonly (boolean | undefined)[] | undefined;
  at: number;
  /** Where a `!` stands that waits for its option; -1: nowhere. */
  negatedAt: number;
  readonly items: (HeaderWord | Extension)[];
  /** Matches and the target, in the order in which they were named. */
  readonly extensions: Extension[];
  target?: Extension;
  protocol?: string;
  chain?: string;
  counters?: string;
  position?: number;
  table?: string;
}

export interface ReaderProblem {
  readonly index: number;
  readonly message: string;
}

export function addMatch(reader: Reader, name: string): Extension {
  const match = extension(name, matchGrammar(name), false, false);
  reader.items.push(match);
  reader.extensions.push(match);
  return match;
}

export function extension(
  name: string,
  grammar: OptionGrammar | undefined,
  isTarget: boolean,
  isGoto: boolean,
): Extension {
  return { name, isTarget, isGoto, grammar, options: [], firstOptionAt: -1, isBare: false };
}

export function isQuoted(reader: Reader, index: number): boolean {
  return reader.quoted?.[index] === true;
}

export function problemAt(index: number, message: string): ReaderProblem {
  return { index, message };
}

/** Of a verdict or a chain. */
export const noOptions: OptionGrammar = { rules: [], byName: new Map(), order: new Map() };
