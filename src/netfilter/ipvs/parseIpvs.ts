import type { ReportLine } from '../lineProblem.ts';
import { wordProblem } from '../wordProblem.ts';
import { applyCommands, type PlacedCommand } from './applyCommands.ts';
import type { IpvsState } from './ast.ts';
import { parseCommand } from './command.ts';
import { isListing, listedCommands } from './listing.ts';

/**
 * Reads `ipvsadm -Sn`, what `ipvsadm -R` takes, and `ipvsadm -Ln`, also as people paste them: with prompts, comments,
 * blank lines, Windows line ends, wrapped lines. Never throws; every line that cannot be read, or that the kernel would
 * refuse, is reported.
 */
export function parseIpvs(text: string, report: ReportLine): IpvsState {
  const lines = text.split('\n').map((line) => line.trim());
  const commands = isListing(lines) ? listedCommands(lines, report) : savedCommands(lines, report);
  return applyCommands(commands, ({ line, command }, message) => {
    report({ line: line ?? 0, column: 1, word: command.kind, message });
  });
}

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
