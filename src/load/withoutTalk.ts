import { typedCommand } from '../common/typedCommand.ts';
import { withoutHelmTalk } from './yaml/withoutHelmTalk.ts';

/**
 * The manifests of a text alone: what Helm says before and behind them, and the lines of a shell that they were copied
 * with, become blanks, so that everything else stays where it stood.
 */
export function withoutTalk(text: string): string {
  const spoken = withoutHelmTalk(text);
  const start = /^\s*/.exec(spoken)?.[0].length ?? 0;
  const end = spoken.indexOf('\n', start);
  return isTyped(spoken.slice(start, end === -1 ? undefined : end))
    ? spoken.replace(/^\S.*$/gm, blankedIfTyped)
    : spoken;
}

function blankedIfTyped(line: string): string {
  return isTyped(line) ? ' '.repeat(line.length) : line;
}

/** A comment of YAML stays one. */
function isTyped(line: string): boolean {
  return !line.startsWith('#') && line.length < 1000 && typedCommand(line) !== undefined;
}
