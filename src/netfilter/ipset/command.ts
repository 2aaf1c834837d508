import type { IpsetCommand, MemberCommand } from './ast.ts';
import { bare, isExistFlag, printIpsetOptions, readIpsetOptions } from './options.ts';
import { splitWords } from './splitWords.ts';

export type CommandResult =
  | { readonly command: IpsetCommand }
  /** `badWord` counts from 0. */
  | { readonly badWord: number; readonly message: string };

/** Reads one line of `ipset restore` or `ipset save`; short and long spellings of commands are taken as ipset takes them. */
export function parseCommand(line: string): CommandResult {
  const split = splitWords(line);
  if (split === undefined) return bad(0, 'a quote is never closed');
  let words = split;
  let shift = 0;
  if (words[0] === 'ipset') {
    words = words.slice(1);
    shift = 1;
  }
  let isExist = false;
  while (words[0] !== undefined && isExistFlag(words[0])) {
    isExist = true;
    words = words.slice(1);
    shift += 1;
  }
  const verb = verbs.get(words[0] ?? '');
  if (verb === undefined) return bad(shift, 'no command of ipset');
  switch (verb) {
    case 'create':
      return readCreate(words, shift, isExist);
    case 'add':
    case 'del':
      return readMember(verb, words, shift, isExist);
    case 'flush':
    case 'destroy': {
      const [, set, ...rest] = words;
      if (rest.length > 0) return bad(shift + 2, 'too many words');
      return { command: set === undefined ? { kind: verb } : { kind: verb, set } };
    }
    case 'swap':
    case 'rename': {
      const [, set, other, ...rest] = words;
      if (set === undefined || other === undefined) return bad(shift, `${verb} needs two sets`);
      if (rest.length > 0) return bad(shift + 3, 'too many words');
      return { command: { kind: verb, set, other } };
    }
  }
}

/** The command as `ipset restore` reads it, in the spelling of `ipset save`; without a newline. */
export function printCommand(command: IpsetCommand): string {
  switch (command.kind) {
    case 'create':
      return `create ${bare(command.set)} ${bare(command.type)}${printIpsetOptions(command.options)}${exist(command)}`;
    case 'add':
    case 'del':
      return `${command.kind} ${bare(command.set)} ${bare(command.member)}${printIpsetOptions(command.options)}${exist(command)}`;
    case 'flush':
    case 'destroy':
      return command.set === undefined ? command.kind : `${command.kind} ${bare(command.set)}`;
    case 'swap':
    case 'rename':
      return `${command.kind} ${bare(command.set)} ${bare(command.other)}`;
  }
}

const verbs: ReadonlyMap<string, IpsetCommand['kind']> = new Map(
  (
    [
      ['create', 'n', 'N'],
      ['add', 'a', 'A'],
      ['del', 'd', 'D'],
      ['flush', 'f', 'F'],
      ['destroy', 'x', 'X'],
      ['swap', 'w', 'W'],
      ['rename', 'e', 'E'],
    ] as const
  ).flatMap(([kind, ...letters]) => [
    [kind, kind] as const,
    [`--${kind}`, kind] as const,
    ...letters.map((letter) => [`-${letter}`, kind] as const),
  ]),
);

function readCreate(words: readonly string[], shift: number, isExist: boolean): CommandResult {
  const [, set, type] = words;
  if (set === undefined || type === undefined) return bad(shift, 'create needs a name and a type');
  if (!/^(?:(?:hash|bitmap):[a-z,]+|list:set)$/.test(type)) return bad(shift + 2, 'no type of set');
  const read = readIpsetOptions(words, 3, 'set');
  if ('badWord' in read) return bad(shift + read.badWord, 'no option of create, or its value is missing');
  const { options } = read;
  return { command: { kind: 'create', set, type, options, ...((isExist || read.isExist) && { isExist: true }) } };
}

function readMember(
  kind: MemberCommand['kind'],
  words: readonly string[],
  shift: number,
  isExist: boolean,
): CommandResult {
  const [, set, member] = words;
  if (set === undefined || member === undefined) return bad(shift, `${kind} needs a set and a member`);
  const read = readIpsetOptions(words, 3, 'member');
  if ('badWord' in read) return bad(shift + read.badWord, `no option of ${kind}, or its value is missing`);
  const { options } = read;
  return { command: { kind, set, member, options, ...((isExist || read.isExist) && { isExist: true }) } };
}

function exist(command: { readonly isExist?: true }): string {
  return command.isExist ? ' -exist' : '';
}

function bad(badWord: number, message: string): CommandResult {
  return { badWord, message };
}
