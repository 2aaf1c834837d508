import type { ReportLine } from '../lineProblem.ts';
import type { PlacedCommand } from './applyCommands.ts';
import type { IpsetOption } from './ast.ts';
import { isMember } from './isMember.ts';
import { readIpsetOptions } from './options.ts';
import { splitWords } from './splitWords.ts';

/** The lines, without blanks around them, are of `ipset list`. */
export function isListing(lines: readonly string[]): boolean {
  return lines.some((line, at) => line.startsWith('Name: ') && lines[at + 1]?.startsWith('Type: ') === true);
}

/**
 * The commands that make the sets of `ipset list`. A terse list says how many members there are, but not which, and one
 * that was cut off shows fewer: those sets are marked.
 */
export function* listedCommands(lines: readonly string[], report: ReportLine): Iterable<PlacedCommand> {
  let block: Block | undefined;
  for (const [at, content] of lines.entries()) {
    const line = at + 1;
    const field = /^(Name|Type|Revision|Header|Size in memory|References|Number of entries|Members):\s*(.*)$/.exec(
      content,
    );
    const value = field?.[2] ?? '';
    if (field?.[1] === 'Name') {
      yield* commandsOf(block, report);
      block = { name: value, type: '', members: [], hasMembers: false, isInMembers: false };
    } else if (block !== undefined && content !== '' && block.isInMembers) {
      readMember(block, line, content, report);
    } else if (block !== undefined && (content === '' || field !== null)) {
      readField(block, line, field?.[1], value, report);
    } else if (field === null && content !== '' && !/\bipset (?:-\S+ )*(?:list|-L)\b/.test(content)) {
      report({ line, column: 1, word: content.split(/\s/)[0] ?? '', message: 'no line of ipset list' });
    }
  }
  yield* commandsOf(block, report);
}

/** What is listed of one set. */
interface Block {
  readonly name: string;
  type: string;
  header?: { readonly line: number; readonly options: readonly IpsetOption[] };
  /** How many members it has; older programs do not say. */
  count?: { readonly line: number; readonly value: number };
  readonly members: PlacedCommand[];
  hasMembers: boolean;
  isInMembers: boolean;
}

function readField(block: Block, line: number, field: string | undefined, value: string, report: ReportLine): void {
  switch (field) {
    case 'Type':
      block.type = value;
      return;
    case 'Header': {
      const read = readIpsetOptions(splitWords(value) ?? [], 0, 'set');
      if ('badWord' in read) report({ line, column: 1, word: 'Header', message: 'an option of the set is not known' });
      block.header = { line, options: 'badWord' in read ? [] : read.options };
      return;
    }
    case 'Number of entries':
      block.count = { line, value: Number(value) };
      return;
    case 'Members':
      block.hasMembers = true;
      block.isInMembers = true;
      return;
    case undefined:
      block.isInMembers = false;
  }
}

function readMember({ name, type, members }: Block, line: number, content: string, report: ReportLine): void {
  const words = splitWords(content) ?? [];
  const read = readIpsetOptions(words, 1, 'member');
  if (words[0] === undefined || 'badWord' in read || !isMember(type, words[0])) {
    report({ line, column: 1, word: words[0] ?? '', message: 'no member of a set' });
    return;
  }
  members.push({ command: { kind: 'add', set: name, member: words[0], options: read.options }, line });
}

function* commandsOf(block: Block | undefined, report: ReportLine): Iterable<PlacedCommand> {
  if (block?.header === undefined) return;
  const { name, type, header, members } = block;
  const hidden = hiddenMembers(block);
  if (hidden !== undefined) {
    const message = `${hidden} of ${name} are not shown; give ipset save, or ipset list without -t`;
    report({ line: block.count?.line ?? header.line, column: 1, word: 'Number', message });
  }
  const { line, options } = header;
  yield { command: { kind: 'create', set: name, type, options, ...(hidden && { isCut: true as const }) }, line };
  yield* members;
}

/** Members that run out are counted until the kernel tidies up. */
function hiddenMembers({ count, header, hasMembers, members }: Block): string | undefined {
  if (!hasMembers)
    return count?.value === 0 ? undefined : count === undefined ? 'the members' : `the ${count.value} members`;
  const runOut = header?.options.some(({ name }) => name === 'timeout');
  const left = runOut || count === undefined ? 0 : count.value - members.length;
  return left > 0 ? `${left} of the ${count?.value} members` : undefined;
}
