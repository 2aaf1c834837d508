import { pushAll } from '../../../common/pushAll.ts';
import type { LineProblem } from '../../lineProblem.ts';
import type { BaseChain } from '../ast.ts';
import { readBaseChain } from '../baseChain.ts';
import type { NftCommand } from '../command.ts';
import { readElements } from '../element.ts';
import { readSetProperty, type SetHeader } from '../setHeader.ts';
import { parseListing } from './parseListing.ts';
import { readRuleWords } from './readRule.ts';
import { accept, type Tokens, takeWord, tokenize } from './tokenizer.ts';

/**
 * Reads a file for `nft -f`: commands one a line, blocks `table ip x { … }` as a listing has them, comments. Never
 * throws: lines that cannot be read are reported and left out.
 */
export function parseTransaction(text: string): {
  readonly commands: readonly NftCommand[];
  /** The line of each command. */
  readonly lines: readonly number[];
  readonly problems: readonly LineProblem[];
} {
  const commands: NftCommand[] = [];
  const numbers: number[] = [];
  const problems: LineProblem[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = (lines[at] ?? '').trimEnd();
    if (line === '' || line.startsWith('#')) {
      continue;
    }
    if (line.startsWith('table ') && line.endsWith('{')) {
      const end = lines.indexOf('}', at);
      const block = parseListing(lines.slice(at, end < 0 ? lines.length : end + 1).join('\n'));
      for (const content of block.ruleset.tables) {
        commands.push({ object: 'block', verb: 'add', family: content.family, table: content.name, content });
        numbers.push(at + 1);
      }
      pushAll(
        problems,
        block.problems.map(({ line: offset, message }) => ({ line: at + offset, message })),
      );
      at = end < 0 ? lines.length : end;
      continue;
    }
    const command = readCommand(tokenize(line));
    if (typeof command === 'string') {
      problems.push({ line: at + 1, message: command });
    } else {
      commands.push(command);
      numbers.push(at + 1);
    }
  }
  return { commands, lines: numbers, problems };
}

const families = new Set(['ip', 'ip6', 'inet', 'arp', 'bridge', 'netdev']);

/** The command, or what is wrong with the line. */
function readCommand(words: Tokens): NftCommand | string {
  const verb = takeWord(words);
  if (verb !== 'add' && verb !== 'create' && verb !== 'delete' && verb !== 'flush' && verb !== 'insert') {
    return `not a command of a transaction: ${verb ?? 'punctuation'}`;
  }
  const object = takeWord(words);
  const next = words.words[words.at];
  const family = next !== undefined && families.has(next) ? (takeWord(words) ?? 'ip') : 'ip';
  const table = takeWord(words);
  if (table === undefined) {
    return 'the table is missing';
  }
  const command = readObject(words, verb, object, { family, table });
  return typeof command === 'string' || words.at === words.words.length
    ? command
    : `cannot be read from here: ${words.words.slice(words.at).join(' ')}`;
}

type Verb = 'add' | 'create' | 'delete' | 'flush' | 'insert';
type Place = { readonly family: string; readonly table: string };

function readObject(words: Tokens, verb: Verb, object: string | undefined, place: Place): NftCommand | string {
  if (object === 'rule') {
    const chain = takeWord(words);
    return chain === undefined || (verb !== 'add' && verb !== 'insert')
      ? 'a rule needs `add` or `insert` and a chain'
      : { object, verb, ...place, chain, rule: readRuleWords(words) };
  }
  if (verb === 'insert') {
    return '`insert` is for rules only';
  }
  if (object === 'table') {
    return { object, verb, ...place, ...readBody(words, place.family).details };
  }
  const name = takeWord(words);
  if (name === undefined) {
    return 'the name is missing';
  }
  if (object === 'chain') {
    return { object, verb, ...place, name, ...readBody(words, place.family).details };
  }
  if (object === 'element') {
    const elements = readElements(words);
    return elements === undefined || verb === 'flush'
      ? 'the elements cannot be read'
      : { object, verb, ...place, set: name, elements };
  }
  if (object === 'counter') {
    return verb === 'flush' ? 'a counter cannot be flushed' : { object, verb, ...place, name };
  }
  if (object !== 'set' && object !== 'map') {
    return `not a kind of object that is known: ${object ?? 'nothing'}`;
  }
  if (verb === 'delete' || verb === 'flush') {
    return { object: 'set', verb, ...place, setKind: object, name };
  }
  const header = readBody(words, place.family).header;
  return header === undefined
    ? `the properties of ${object} ${name} cannot be read`
    : { object: 'set', verb, ...place, set: { kind: object, name, ...header, elements: [] } };
}

interface Body {
  readonly details: { readonly comment?: string; readonly base?: BaseChain };
  readonly header: SetHeader | undefined;
}

/** Reads ` { type … ; comment "…" ; }` of a table, chain or set; without braces it is empty. */
function readBody(words: Tokens, family: string): Body {
  let details: Body['details'] = {};
  let header: SetHeader | undefined = { type: [], flags: [] };
  if (!accept(words, '{')) {
    return { details, header: undefined };
  }
  while (words.at < words.words.length && !accept(words, '}')) {
    const start = words.at;
    const base = words.words[start + 2] === 'hook' ? readBaseChain(words, family) : undefined;
    if (base !== undefined) {
      details = { ...details, base };
    } else {
      words.at = start;
      header = header === undefined ? undefined : readSetProperty(words, header);
      details = header?.comment === undefined ? details : { ...details, comment: header.comment };
    }
    if (header === undefined || !accept(words, ';')) {
      // Left where it is: the caller reports the words that remain.
      return { details, header: accept(words, '}') ? header : undefined };
    }
  }
  return { details, header };
}
