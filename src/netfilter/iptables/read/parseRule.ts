import type { HeaderWord, Rule, Target, TransportMatch, Word } from '../ast.ts';
import { readMatch } from '../matches.ts';
import { matchGrammar } from '../options/matchOptions.ts';
import { targetGrammar } from '../options/targetOptions.ts';
import { isOneWord } from '../print/quote.ts';
import { readTarget } from '../targets.ts';
import { readRuleOption } from './readRuleOption.ts';
import {
  addMatch,
  type Extension,
  extension,
  isQuoted,
  noOptions,
  problemAt,
  type Reader,
  type ReaderProblem,
} from './ruleReader.ts';
import { columnOfWord, tokenize } from './tokenize.ts';

export interface RuleCommand {
  readonly kind: 'rule';
  readonly rule: Rule;
  /** 1-based place at which `-I` puts the rule; undefined: it is appended. */
  readonly position?: number;
  /** `-t`, which only command lines have. */
  readonly table?: string;
}

/** Why a line cannot be read, and where. */
export interface RuleProblem {
  readonly kind: 'problem';
  readonly message: string;
  /** 1-based. */
  readonly column: number;
  readonly word: string;
}

/**
 * Reads one rule line (`-A …`, `-I …`, counters in front or as `-c`) in kube-proxy's, iptables-save's or a hand's
 * spelling. Matches, targets and options that are not known here are kept as they are. Never throws.
 */
export function parseRule(line: string, lineNumber?: number): RuleCommand | RuleProblem {
  const { words, quoted, isOpen } = tokenize(line);
  const reader: Reader = { words, quoted, at: 0, negatedAt: -1, items: [], extensions: [] };
  const problem = isOpen ? problemAt(words.length, 'a quote is not closed') : readWords(reader);
  if (problem) {
    return { ...problem, kind: 'problem', column: columnOfWord(line, problem.index), word: words[problem.index] ?? '' };
  }
  const { position, table } = reader;
  const command: RuleCommand = { kind: 'rule', rule: builtRule(reader, lineNumber) };
  return position === undefined && table === undefined
    ? command
    : { ...command, ...(position !== undefined && { position }), ...(table !== undefined && { table }) };
}

function builtRule({ chain = '', items, target, counters }: Reader, line: number | undefined): Rule {
  const words: Word[] = [];
  for (const [at, item] of items.entries()) {
    words.push('grammar' in item ? builtMatch(item, items, at) : item);
  }
  // Written out: copying half a million rules field by field would take longer than reading them.
  const rule: Rule =
    line === undefined
      ? target
        ? { chain, words, target: builtTarget(target) }
        : { chain, words }
      : target
        ? { chain, words, target: builtTarget(target), line }
        : { chain, words, line };
  return counters === undefined ? rule : { ...rule, counters };
}

function readWords(reader: Reader): ReaderProblem | undefined {
  const { words } = reader;
  if (words[0]?.startsWith('[') && countersPattern.test(words[0])) {
    reader.counters = words[0];
    reader.at = 1;
  }
  while (reader.at < words.length) {
    const problem = readWord(reader);
    if (problem) {
      return problem;
    }
  }
  if (reader.negatedAt !== -1) {
    return problemAt(reader.negatedAt, 'nothing follows the !');
  }
  return reader.chain === undefined ? problemAt(words.length, 'no chain is named (-A CHAIN)') : undefined;
}

function readWord(reader: Reader): ReaderProblem | undefined {
  const index = reader.at;
  const word = reader.words[index] ?? '';
  reader.at += 1;
  if (word === '!') {
    if (reader.negatedAt !== -1) {
      return problemAt(index, 'two ! in a row');
    }
    reader.negatedAt = index;
    return undefined;
  }
  if (word.charCodeAt(0) !== 0x2d || isQuoted(reader, index)) {
    return problemAt(index, 'a word that belongs to no option');
  }
  const command = word.charCodeAt(1) === 0x2d ? longCommands.get(word) : word;
  const negated = reader.negatedAt !== -1;
  if (negated && command !== undefined && !negatable.has(command)) {
    return problemAt(reader.negatedAt, `${word} cannot be negated`);
  }
  const problem = command === undefined ? readRuleOption(reader, index, word) : readCommand(reader, index, command);
  reader.negatedAt = -1;
  return problem;
}

function readCommand(reader: Reader, index: number, command: string): ReaderProblem | undefined {
  if (command === '-f') {
    reader.items.push({ kind: 'fragment', ...(reader.negatedAt !== -1 && { negated: true }) });
    return undefined;
  }
  if (negatable.has(command) && reader.words[reader.at] === '!' && !isQuoted(reader, reader.at)) {
    // The old place of the negation.
    reader.negatedAt = reader.at;
    reader.at += 1;
  }
  const value = reader.words[reader.at];
  if (value === undefined) {
    return problemAt(index, `${reader.words[index]} needs a value`);
  }
  reader.at += 1;
  switch (command) {
    case '-m':
      if (matchGrammar(value) === undefined && hasUnknownOption(reader.target)) {
        return problemAt(index, 'an unknown match after an unknown option of the target');
      }
      addMatch(reader, value);
      return undefined;
    case '-j':
    case '-g':
      return addTarget(reader, index, value, command === '-g');
    case '-A':
    case '-I':
      return setChain(reader, index, command, value);
    case '-t':
      reader.table = value;
      return undefined;
    case '-c':
      return setCounters(reader, index, value);
    default:
      return addHeader(reader, index, command, value);
  }
}

/** Whose option it is cannot be told any more once the match stands before the target, where it is printed. */
function hasUnknownOption(target: Extension | undefined): boolean {
  const known = target?.grammar?.byName;
  return known !== undefined && target?.options.some(({ name }) => !known.has(name)) === true;
}

function addHeader(reader: Reader, index: number, command: string, value: string): ReaderProblem | undefined {
  const negated = reader.negatedAt !== -1;
  switch (command) {
    case '-s':
      reader.items.push(negated ? { kind: 'source', negated, address: value } : { kind: 'source', address: value });
      return undefined;
    case '-d':
      reader.items.push(
        negated ? { kind: 'destination', negated, address: value } : { kind: 'destination', address: value },
      );
      return undefined;
    case '-i':
      reader.items.push(negated ? { kind: 'inInterface', negated, name: value } : { kind: 'inInterface', name: value });
      return undefined;
    case '-o':
      reader.items.push(
        negated ? { kind: 'outInterface', negated, name: value } : { kind: 'outInterface', name: value },
      );
      return undefined;
    case '-p':
      reader.items.push(negated ? { kind: 'protocol', negated, protocol: value } : protocolWord(value));
      reader.protocol = value;
      return undefined;
    default:
      return problemAt(index, 'an option that rules do not have');
  }
}

function protocolWord(protocol: string): HeaderWord {
  return commonProtocols.get(protocol) ?? { kind: 'protocol', protocol };
}

function addTarget(reader: Reader, index: number, name: string, isGoto: boolean): ReaderProblem | undefined {
  if (reader.target) {
    return problemAt(index, 'a second target');
  }
  reader.target = extension(name, isGoto || verdicts.has(name) ? noOptions : targetGrammar(name), true, isGoto);
  reader.extensions.push(reader.target);
  return undefined;
}

function setChain(reader: Reader, index: number, command: string, chain: string): ReaderProblem | undefined {
  if (reader.chain !== undefined) {
    return problemAt(index, 'a second command');
  }
  if (!isOneWord(chain)) {
    return problemAt(index + 1, 'not a name of a chain');
  }
  reader.chain = chain;
  if (command === '-I') {
    const place = reader.words[reader.at];
    const isPlace = place !== undefined && /^[1-9]\d{0,8}$/.test(place);
    reader.position = isPlace ? Number(place) : 1;
    reader.at += isPlace ? 1 : 0;
  }
  return undefined;
}

function setCounters(reader: Reader, index: number, packets: string): ReaderProblem | undefined {
  const bytes = reader.words[reader.at];
  const counters = `[${packets}:${bytes}]`;
  if (bytes === undefined || !countersPattern.test(counters)) {
    return problemAt(index, '-c needs two numbers');
  }
  reader.at += 1;
  reader.counters = counters;
  return undefined;
}

function builtMatch(match: Extension, items: readonly (HeaderWord | Extension)[], at: number): Word {
  const word = readMatch(match.name, match.options, match.isBare);
  return word.kind === 'transport' && match.options.length > 0 ? withPlaceOfOptions(word, match, items, at) : word;
}

/** Options of a transport match are printed behind the `-p` and `-d` that follow it, unless they stood before the `-d`. */
function withPlaceOfOptions(
  match: TransportMatch,
  { firstOptionAt }: Extension,
  items: readonly (HeaderWord | Extension)[],
  at: number,
): TransportMatch {
  for (let next = at + 1; next < items.length; next += 1) {
    const item = items[next] as HeaderWord | Extension;
    if ('grammar' in item || (item.kind !== 'protocol' && item.kind !== 'destination')) {
      break;
    }
    if (item.kind === 'destination' && next >= firstOptionAt) {
      return { ...match, optionsFollow: 'protocol' };
    }
  }
  return match;
}

function builtTarget(target: Extension): Target {
  return readTarget(target.name, target.options, target.isGoto);
}

/** Shared by all rules of a text, which mostly name one of these. */
const commonProtocols: ReadonlyMap<string, HeaderWord> = new Map(
  ['tcp', 'udp', 'sctp'].map((protocol) => [protocol, { kind: 'protocol', protocol }]),
);

const countersPattern = /^\[\d+:\d+\]$/;

const verdicts: ReadonlySet<string> = new Set(['ACCEPT', 'DROP', 'RETURN', 'QUEUE']);

const negatable: ReadonlySet<string> = new Set(['-s', '-d', '-i', '-o', '-p', '-f']);

const longCommands: ReadonlyMap<string, string> = new Map([
  ['--append', '-A'],
  ['--insert', '-I'],
  ['--table', '-t'],
  ['--source', '-s'],
  ['--src', '-s'],
  ['--destination', '-d'],
  ['--dst', '-d'],
  ['--in-interface', '-i'],
  ['--out-interface', '-o'],
  ['--protocol', '-p'],
  ['--proto', '-p'],
  ['--fragment', '-f'],
  ['--match', '-m'],
  ['--jump', '-j'],
  ['--goto', '-g'],
  ['--set-counters', '-c'],
]);
