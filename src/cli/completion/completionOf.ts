import type { CommandTable, Noted } from './commandTable.ts';
import { type CompletionPoint, completionPoint, type GivenInput } from './completionPoint.ts';
import type { NameKind } from './valueKinds.ts';

/** What a shell is offered for a word. */
export interface Completion {
  /** Whole words that begin with what is typed. */
  readonly candidates: readonly Noted[];
  readonly files: 'none' | 'files' | 'folders';
  /** The word up to the value, `--mode=`: all candidates begin with it. */
  readonly before: string;
  /** No blank goes behind a candidate: more of the word follows. */
  readonly isOpen: boolean;
}

/** Reads names from the input; what cannot be read gives no names. */
export type ReadNames = (kinds: readonly NameKind[], given: GivenInput) => Promise<readonly Noted[]>;

/** What `current` may become behind `words`. Undefined: names of the input are wanted, and nothing here reads them. */
export function completionAtOnce(
  table: CommandTable,
  words: readonly string[],
  current: string,
): Completion | undefined {
  const point = completionPoint(table.program, words, current);
  return wantsNames(point) ? undefined : completionAt(table, point, []);
}

export async function completionOf(
  table: CommandTable,
  words: readonly string[],
  current: string,
  readNames: ReadNames,
): Promise<Completion> {
  const point = completionPoint(table.program, words, current);
  const names = wantsNames(point) ? await readNames(point.value?.names ?? [], point.given) : [];
  return completionAt(table, point, names);
}

/** Names can be read only where files or a cluster are named. */
function wantsNames({ value, given }: CompletionPoint): boolean {
  const isFile = given.manifests.length + given.dumps.length > 0;
  return (value?.names ?? []).some((name) => given.live !== undefined || (isFile && name !== 'liveNode'));
}

function completionAt({ values }: CommandTable, point: CompletionPoint, names: readonly Noted[]): Completion {
  const { command, value, typed } = point;
  const listed = value?.isList ? typed.slice(0, typed.lastIndexOf(',') + 1) : '';
  const known: readonly Noted[] = [
    ...(value?.words ?? []).map((word): Noted => [word, '']),
    ...(value?.fixed ?? []).flatMap((name) => values[name]),
    ...names,
  ];
  const offered = [
    ...known.filter(isValue).map(([word, note]): Noted => [`${listed}${word}`, note]),
    ...(point.takesCommand ? command.commands.map(({ name, summary }): Noted => [name, summary]) : []),
    ...(point.takesOption ? optionsOf(point) : []),
  ];
  const fitting = offered.filter(([word]) => word.startsWith(typed) && isPlain(word));
  const { candidates, isOpen } = withFolders(fitting, typed);
  return {
    candidates: candidates.map(([word, note]): Noted => [`${point.before}${word}`, note]),
    files: value?.files ?? 'none',
    before: point.before,
    isOpen,
  };
}

function optionsOf({ command, typed }: CompletionPoint): readonly Noted[] {
  return command.options.flatMap(({ long, short, description }): readonly Noted[] => [
    ...(typed === '-' && short !== undefined ? ([[short, description]] as const) : []),
    ...(long === undefined ? [] : ([[long, description]] as const)),
  ]);
}

/**
 * Names come from files that anybody may have written, and a shell puts what it is offered into the line: only words are
 * offered that mean themselves in every shell, quoted or not. The names that Kubernetes allows are such words.
 */
function isPlain(word: string): boolean {
  return /^[A-Za-z0-9-][A-Za-z0-9._:/,=+-]*$/.test(word) && word.length <= longestWord;
}

const longestWord = 600;

/** What begins with a dash would be read as an option. */
function isValue([word]: Noted): boolean {
  return !word.startsWith('-');
}

/** Of very many names their first parts are offered, as of a tree of folders. */
function withFolders(all: readonly Noted[], typed: string) {
  if (all.length <= mostAtOnce) return { candidates: all, isOpen: false };
  const parts = new Set(all.map(([word]) => word.slice(0, endOfPart(word, typed.length))));
  const isSplit = parts.size < all.length;
  return isSplit
    ? { candidates: [...parts].sort().map((word): Noted => [word, '']), isOpen: true }
    : { candidates: all, isOpen: false };
}

const mostAtOnce = 500;

function endOfPart(word: string, from: number): number {
  const at = word.indexOf('/', from);
  return at === -1 ? word.length : at + 1;
}
