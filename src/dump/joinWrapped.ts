import { parseRule } from '../netfilter/iptables/parseRule.ts';

/**
 * Puts together what a terminal of a fixed width broke: lines that are all as long as the longest, followed by the rest of
 * their rule. The rest's lines become empty, so that all lines keep their numbers.
 */
export function joinWrapped(lines: readonly string[]): readonly string[] {
  const width = wrapWidth(lines);
  if (width === undefined) return lines;
  const joined = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at] as string;
    if (first.length !== width || !cleanStart.test(first)) continue;
    let whole = first;
    let next = at + 1;
    const end = endOfParts(lines, at, width);
    const all = lines.slice(at, end).join('');
    if (end > next && parseRule(all).kind === 'rule') {
      whole = all;
      for (; next < end; next += 1) joined[next] = '';
    }
    while (next - at < mostParts && (lines[next - 1] as string).length === width && isRest(lines[next], whole)) {
      whole += lines[next];
      joined[next] = '';
      next += 1;
    }
    joined[at] = whole;
    at = next - 1;
  }
  return joined;
}

/** The line behind those that may all be one rule: each but the last has the whole width, and none begins as a rule does. */
function endOfParts(lines: readonly string[], start: number, width: number): number {
  let end = start + 1;
  while (end - start < mostParts && lines[end - 1]?.length === width) {
    const line = lines[end];
    if (line === undefined || line === '' || cleanStart.test(line)) break;
    end += 1;
  }
  return end;
}

const narrowest = 60;
const widest = 400;
const mostParts = 16;

/** The length that several lines have and none exceeds, where some rule is not whole. */
function wrapWidth(lines: readonly string[]): number | undefined {
  let width = 0;
  let count = 0;
  for (const { length } of lines) {
    if (length > width) {
      width = length;
      count = 0;
    }
    if (length === width) count += 1;
  }
  if (count < 2 || width < narrowest || width > widest) return undefined;
  // A writer's own line breaks, which say that the line goes on.
  if (lines.some((line) => line.length === width && line.endsWith('\\'))) return undefined;
  const isBroken = lines.some(
    (line) => line.length === width && cleanStart.test(line) && parseRule(line).kind === 'problem',
  );
  return isBroken ? width : undefined;
}

/** How a line of iptables-save begins that is no rest of another: a chain line has its policy, a rule its chain. */
const cleanStart =
  /^(?:(?:\[\d+:\d+\] )?-[AINPFX] \S+(?: |$)|:[\w-]+ (?:[A-Z]+|-)(?: \[\d|$)|\*[a-z]+$|COMMIT$|# |Chain \S+ \()/;

function isRest(line: string | undefined, before: string): boolean {
  if (line === undefined || line === '' || cleanStart.test(line)) return false;
  return parseRule(before).kind === 'problem' || parseRule(before + line).kind === 'rule';
}
