import type { ReportLine } from '../lineProblem.ts';
import { wordProblem } from '../wordProblem.ts';
import { applyCommands, type PlacedCommand } from './applyCommands.ts';
import type { IpsetState } from './ast.ts';
import { parseCommand } from './command.ts';
import { isListing, listedCommands } from './listing.ts';

/**
 * Reads `ipset save`, `ipset restore` and `ipset list` texts, also as people paste them: with prompts, comments, blank
 * lines and Windows line ends. Never throws; every line that cannot be read, or that the kernel would refuse, is
 * reported.
 */
export function parseIpset(text: string, report: ReportLine): IpsetState {
  const lines = text.split('\n').map((line) => line.trim());
  if (/^(?:<\?xml|<ipsets?\b)/.test(text.trimStart())) {
    const line = lines.findIndex((content) => content !== '') + 1;
    report({ line, column: 1, word: '<', message: 'ipset -o xml is not read; give the output of ipset save' });
    return { kind: 'ipset', sets: [] };
  }
  const commands = isListing(lines) ? listedCommands(lines, report) : savedCommands(lines, report);
  return applyCommands(commands, ({ line, command }, message) => {
    report({ line: line ?? 0, column: 1, word: command.kind, message });
  });
}

function* savedCommands(lines: readonly string[], report: ReportLine): Iterable<PlacedCommand> {
  for (const [at, content] of lines.entries()) {
    if (content === '' || content.startsWith('#') || content === 'COMMIT' || content === 'quit') continue;
    // A prompt and the command that was typed: `root@node:~$ ipset save`.
    if (/(?:^|[$#>%] )(?:sudo )?ipset (?:-\S+ )*(?:save|-S|list|-L|restore|-R)\b/.test(content)) continue;
    const line = at + 1;
    const read = parseCommand(content);
    if ('command' in read) yield { command: read.command, line };
    else report(wordProblem(line, content, read.badWord, read.message));
  }
}
