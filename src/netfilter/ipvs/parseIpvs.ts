import type { ReportLine } from '../lineProblem.ts';
import { wordProblem } from '../wordProblem.ts';
import { applyCommands, type PlacedCommand } from './applyCommands.ts';
import type { IpvsState } from './ast.ts';
import { parseCommand } from './command.ts';
import { isListing, listedCommands } from './listing.ts';

/**
 * Reads `ipvsadm -Sn`, what `ipvsadm -R` takes, and `ipvsadm -Ln`, also as people paste them: with prompts, comments,
 * blank lines, Windows line ends, wrapped lines. Never throws; every line that cannot be read, or that the kernel would
 * refuse, is reported: the state is marked if services or servers may be lost with them.
 */
export function parseIpvs(text: string, report: ReportLine): IpvsState {
  const lines = text.split('\n').map((line) => line.trim());
  let hasUnreadLines = false;
  const note: ReportLine = (problem) => {
    hasUnreadLines ||= ofService.test(lines[problem.line - 1] ?? '');
    report(problem);
  };
  const commands = isListing(lines) ? listedCommands(lines, note) : savedCommands(lines, note);
  const state = applyCommands(commands, ({ line, command }, message) => {
    note({ line: line ?? 0, column: 1, word: command.kind, message });
  });
  return hasUnreadLines ? { ...state, hasUnreadLines } : state;
}

/** What a line of a service or a server begins with, of `ipvsadm -Sn` and of `ipvsadm -Ln`. */
const ofService = /^(?:(?:ipvsadm )?-[Aa]|TCP|UDP|SCTP|FWM|->)/;

function* savedCommands(lines: readonly string[], report: ReportLine): Iterable<PlacedCommand> {
  for (const [at, content] of lines.entries()) {
    if (content === '' || content.startsWith('#')) continue;
    // A prompt and the command that was typed: `root@node:~$ ipvsadm -Sn`.
    if (
      /(?:^|[$#>%\]] ?)(?:sudo )?(?:ipvsadm (?:-\S+ )*(?:-S|--save|-R|--restore|-n?Sn?)\b|ipvsadm-(?:save|restore))/.test(
        content,
      )
    )
      continue;
    const line = at + 1;
    const read = parseCommand(content);
    if ('command' in read) yield { command: read.command, line };
    else report(wordProblem(line, content, read.badWord, read.message));
  }
}
