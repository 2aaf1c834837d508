import type { ReportLine } from '../lineProblem.ts';
import type { PlacedCommand } from './applyCommands.ts';
import { readIpsetOptions } from './options.ts';
import { splitWords } from './splitWords.ts';

/** The lines, without blanks around them, are of `ipset list`. */
export function isListing(lines: readonly string[]): boolean {
  return lines.some((line, at) => line.startsWith('Name: ') && lines[at + 1]?.startsWith('Type: ') === true);
}

/** The commands that make the sets of `ipset list`. A terse list says how many members there are, but not which. */
export function* listedCommands(lines: readonly string[], report: ReportLine): Iterable<PlacedCommand> {
  let name = '';
  let type = '';
  let isInMembers = false;
  let hidden: { readonly line: number; readonly count: string } | undefined;
  for (const [at, content] of lines.entries()) {
    const line = at + 1;
    const field = /^(Name|Type|Revision|Header|Size in memory|References|Number of entries|Members):\s*(.*)$/.exec(
      content,
    );
    const value = field?.[2] ?? '';
    if (field?.[1] === 'Name') {
      reportHidden();
      name = value;
      isInMembers = false;
    } else if (content === '') {
      isInMembers = false;
    } else if (isInMembers) {
      yield* memberCommand(line, content);
    } else if (field?.[1] === 'Type') {
      type = value;
    } else if (field?.[1] === 'Header') {
      const read = readIpsetOptions(splitWords(value) ?? [], 0, 'set');
      if ('badWord' in read) report({ line, column: 1, word: 'Header', message: 'an option of the set is not known' });
      yield { command: { kind: 'create', set: name, type, options: 'badWord' in read ? [] : read.options }, line };
    } else if (field?.[1] === 'Number of entries') {
      if (value !== '0') hidden = { line, count: value };
    } else if (field?.[1] === 'Members') {
      hidden = undefined;
      isInMembers = true;
    } else if (field === null && !/\bipset (?:-\S+ )*(?:list|-L)\b/.test(content)) {
      report({ line, column: 1, word: content.split(/\s/)[0] ?? '', message: 'no line of ipset list' });
    }
  }
  reportHidden();

  function reportHidden(): void {
    if (hidden === undefined) return;
    const message = `the ${hidden.count} members of ${name} are not shown; give ipset save, or ipset list without -t`;
    report({ line: hidden.line, column: 1, word: 'Number', message });
    hidden = undefined;
  }

  function* memberCommand(line: number, content: string): Iterable<PlacedCommand> {
    const words = splitWords(content) ?? [];
    const read = readIpsetOptions(words, 1, 'member');
    if (words[0] === undefined || 'badWord' in read) {
      report({ line, column: 1, word: words[0] ?? '', message: 'no member of a set' });
      return;
    }
    yield { command: { kind: 'add', set: name, member: words[0], options: read.options }, line };
  }
}
