import type { ReportLine } from '../lineProblem.ts';
import { wordProblem } from '../wordProblem.ts';
import { applyCommands, type PlacedCommand } from './applyCommands.ts';
import type { IpsetCommand, IpsetState } from './ast.ts';
import { parseCommand } from './command.ts';
import { isMember } from './isMember.ts';
import { isListing, listedCommands } from './listing.ts';

/**
 * Reads `ipset save`, `ipset restore` and `ipset list` texts, also as people paste them: with prompts, comments, blank
 * lines and Windows line ends. Never throws; every line that cannot be read, or that the kernel would refuse, is
 * reported. A set that may have lost members is marked.
 */
export function parseIpset(text: string, report: ReportLine): IpsetState {
  const lines = text.split('\n').map((line) => line.trim());
  if (/^(?:<\?xml|<ipsets?\b)/.test(text.trimStart())) {
    const line = lines.findIndex((content) => content !== '') + 1;
    report({ line, column: 1, word: '<', message: 'ipset -o xml is not read; give the output of ipset save' });
    return { kind: 'ipset', sets: [] };
  }
  const lost: string[] = [];
  const commands = isListing(lines) ? listedCommands(lines, report) : savedCommands(lines, report, lost);
  const state = applyCommands(commands, ({ line, command }, message) => {
    report({ line: line ?? 0, column: 1, word: command.kind, message });
  });
  return lost.length === 0 ? state : withLosses(state, lost);
}

/** `lost`: sets with lines that could not be read; of such a line a name may be cut, too. */
function withLosses(state: IpsetState, lost: readonly string[]): IpsetState {
  const names = new Set(state.sets.map(({ name }) => name));
  const isLost = (name: string) => lost.some((one) => one === name || (!names.has(one) && name.startsWith(one)));
  const sets = state.sets.map((set) => (isLost(set.name) ? { ...set, isCut: true as const } : set));
  return { ...state, sets, hasUnreadLines: true };
}

function* savedCommands(lines: readonly string[], report: ReportLine, lost: string[]): Iterable<PlacedCommand> {
  const types = new Map<string, string>();
  for (const [at, content] of lines.entries()) {
    if (content === '' || content.startsWith('#') || content === 'COMMIT' || content === 'quit') continue;
    // A prompt and the command that was typed: `root@node:~$ ipset save`.
    if (/(?:^|[$#>%] )(?:sudo )?ipset (?:-\S+ )*(?:save|-S|list|-L|restore|-R)\b/.test(content)) continue;
    const line = at + 1;
    const read = parseCommand(content);
    const problem = 'command' in read ? notOfType(read.command, types) : read;
    if (problem !== undefined) {
      report(wordProblem(line, content, problem.badWord, problem.message));
      const set = ofSet.exec(content)?.[1];
      if (set !== undefined) lost.push(set);
    } else if ('command' in read) {
      if (read.command.kind === 'create') types.set(read.command.set, read.command.type);
      yield { command: read.command, line };
    }
  }
}

/** The name of the set, or what is left of it, in a line that makes one or a member. */
const ofSet = /^(?:ipset )?(?:add|create|-[AN]) ?(\S*)/;

function notOfType(command: IpsetCommand, types: ReadonlyMap<string, string>) {
  if (command.kind !== 'add') return undefined;
  const type = types.get(command.set);
  if (type === undefined || isMember(type, command.member)) return undefined;
  return { badWord: 2, message: `no member of a set of type ${type}` };
}
