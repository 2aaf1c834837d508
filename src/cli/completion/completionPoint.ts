import type { LiveOptions } from '../../live/liveOptions.ts';
import { withEachFile } from '../objects/withEachFile.ts';
import type { ArgumentEntry, CommandEntry, OptionEntry } from './commandTable.ts';
import { kindOfArgument, kindOfOption, type ValueKind } from './valueKinds.ts';

/** What can stand where the cursor is. */
export interface CompletionPoint {
  readonly command: CommandEntry;
  /** Names of commands below this one. */
  readonly takesCommand: boolean;
  /** Options, where the word does not begin a value. */
  readonly takesOption: boolean;
  readonly value: ValueKind | undefined;
  /** The word up to the value: `--mode=` of `--mode=ipt`. */
  readonly before: string;
  readonly typed: string;
  readonly given: GivenInput;
}

/** What the line names already that names can be read from. */
export interface GivenInput {
  readonly manifests: readonly string[];
  readonly isRecursive: boolean;
  readonly dumps: readonly string[];
  /** The cluster, where `--live` is given. */
  readonly live?: LiveOptions;
}

interface Line {
  command: CommandEntry;
  /** Behind `--` nothing is an option. */
  hasEnded: boolean;
  /** An option whose next value is to come, and how many it has. */
  open: { readonly option: OptionEntry; readonly at: number } | undefined;
  readonly words: string[];
  readonly manifests: string[];
  readonly dumps: string[];
  isRecursive: boolean;
  isLive: boolean;
  live: LiveOptions;
}

/** Reads the words before the cursor as commander will, and finds what the one at the cursor, `current`, may become. */
export function completionPoint(program: CommandEntry, words: readonly string[], current: string): CompletionPoint {
  const line: Line = {
    command: program,
    hasEnded: false,
    open: undefined,
    words: [],
    manifests: [],
    dumps: [],
    isRecursive: false,
    isLive: false,
    live: {},
  };
  for (const word of withEachFile(words)) readWord(line, word);
  return { ...pointOf(line, current), command: line.command, given: givenBy(line) };
}

function pointOf(line: Line, current: string): Omit<CompletionPoint, 'command' | 'given'> {
  const nothing = { takesCommand: false, takesOption: false, before: '', typed: current };
  const isOption = current.startsWith('-') && current !== '-' && !line.hasEnded;
  const { open } = line;
  if (open !== undefined && (open.at === 0 || !isOption))
    return { ...nothing, value: kindOfOption(open.option, open.at) };
  if (isOption) {
    const [, name, typed = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
    const option = name === undefined ? undefined : optionNamed(line.command, name);
    if (name === undefined) return { ...nothing, takesOption: true, value: undefined };
    return { ...nothing, before: `${name}=`, typed, value: option && kindOfOption(option, 0) };
  }
  const isCommandNext = line.command.commands.length > 0 && line.words.length === 0;
  const argument = argumentAt(line.command, line.words.length);
  return {
    ...nothing,
    takesOption: current === '-' && !line.hasEnded,
    takesCommand: isCommandNext,
    value: argument && kindOfArgument(argument),
  };
}

function readWord(line: Line, word: string): void {
  const { open } = line;
  const isOption = word.startsWith('-') && word !== '-' && !line.hasEnded;
  if (open !== undefined && (open.at === 0 || !isOption)) {
    readValue(line, open, word);
    return;
  }
  line.open = undefined;
  if (word === '--' && !line.hasEnded) line.hasEnded = true;
  else if (isOption) readOption(line, word);
  else readPlain(line, word);
}

function readValue(line: Line, { option, at }: NonNullable<Line['open']>, word: string): void {
  if (option.long === '--filename') line.manifests.push(word);
  else if (dumpOptions.has(option.long ?? '')) line.dumps.push(word);
  else line.live = { ...line.live, ...clusterOption(option.long, word, line.live) };
  const isMore = option.isVariadic || at + 1 < option.values.length;
  line.open = isMore ? { option, at: at + 1 } : undefined;
}

/** Which cluster it is, as whom. */
function clusterOption(long: string | undefined, value: string, { asGroup = [] }: LiveOptions): LiveOptions {
  switch (long) {
    case '--context':
      return { context: value };
    case '--kubeconfig':
      return { kubeconfig: value };
    case '--namespace':
      return { namespace: value };
    case '--as':
      return { as: value };
    case '--as-group':
      return { asGroup: [...asGroup, value] };
    default:
      return {};
  }
}

/** Options whose files hold rules; facts beside them name nothing that is asked for. */
const dumpOptions: ReadonlySet<string> = new Set(['--rules', '--detect']);

function readOption(line: Line, word: string): void {
  const [, name = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  if (name.startsWith('--')) {
    openOption(line, optionNamed(line.command, name), value);
    return;
  }
  // `-qf x.yaml` and `-fx.yaml`, as commander reads them.
  for (let at = 1; at < word.length; at++) {
    const option = line.command.options.find(({ short }) => short === `-${word[at]}`);
    const rest = word.slice(at + 1);
    openOption(line, option, option !== undefined && option.values.length > 0 && rest !== '' ? rest : undefined);
    if (option === undefined || option.values.length > 0) return;
  }
}

function openOption(line: Line, option: OptionEntry | undefined, value: string | undefined): void {
  if (option === undefined) return;
  if (option.long === '--recursive') line.isRecursive = true;
  if (option.long === '--live') line.isLive = true;
  if (option.values.length === 0) return;
  if (value === undefined) line.open = { option, at: 0 };
  else readValue(line, { option, at: 0 }, value);
}

function readPlain(line: Line, word: string): void {
  const below = line.words.length === 0 ? line.command.commands.find(({ name }) => name === word) : undefined;
  // `help policy test` names commands, and takes no options of theirs.
  if (word === 'help' && line.words.length === 0 && line.command.commands.length > 0) {
    line.command = { ...line.command, commands: line.command.commands.filter(({ name }) => name !== 'help') };
    return;
  }
  if (below !== undefined) {
    line.command = below;
    return;
  }
  const argument = argumentAt(line.command, line.words.length);
  if (argument !== undefined && takesDumps(argument)) line.dumps.push(word);
  line.words.push(word);
}

function takesDumps(argument: ArgumentEntry): boolean {
  return kindOfArgument(argument).files === 'files';
}

function argumentAt(command: CommandEntry, at: number): ArgumentEntry | undefined {
  const last = command.arguments.at(-1);
  return command.arguments[at] ?? (last?.isVariadic ? last : undefined);
}

function optionNamed(command: CommandEntry, name: string): OptionEntry | undefined {
  return command.options.find(({ long }) => long === name);
}

/** Files only: standard input is for the command itself. */
function givenBy({ manifests, dumps, isRecursive, isLive, live }: Line): GivenInput {
  const isFile = (path: string) => path !== '-' && path !== '' && !/^(?:nodes|node\/.*)$/.test(path);
  return { manifests: manifests.filter(isFile), dumps: dumps.filter(isFile), isRecursive, ...(isLive && { live }) };
}
