import type { TraceResult } from '../traceResult.ts';

/**
 * The lines of a trace for a person. Each answer that is unknown may double the ways: hundreds of lines tell no more than
 * the first of them, and what they depend on.
 */
export function fewOfUnknown(lines: readonly string[], { notes }: TraceResult, isVerbose: boolean): readonly string[] {
  if (isVerbose || notes.unknown.size === 0 || lines.length <= most) return lines;
  const shown = lines.slice(0, most / 2);
  const left = lines.length - shown.length;
  return [...shown, `   … ${left} more lines, as answers of rules are unknown (-v prints all)`];
}

const most = 120;
