import { parseRule } from '../../netfilter/iptables/read/parseRule.ts';

/**
 * Joins what a terminal of a fixed width broke: lines that are all as long as the longest, followed by the rest of
 * their rule. The lines of the rest become empty, so all lines keep their numbers.
 */
export function joinWrapped(lines: readonly string[]): readonly string[] {
  const width = wrapWidth(lines);
  if (width === undefined) return lines;
  const joined = [...lines];
  for (let at = 0; at < lines.length; at += 1) {
    const first = lines[at] as string;
    if (first.length !== width || !cleanStart.test(first)) continue;
    const count = restCount(lines, at, width);
    joined[at] = lines.slice(at, at + 1 + count).join('');
    joined.fill('', at + 1, at + 1 + count);
    at += count;
  }
  return joined;
}

/** How many lines after a first one are the rest of it. */
function restCount(lines: readonly string[], at: number, width: number): number {
  let count = 0;
  while (count < mostParts && lines[at + count]?.length === width && mayBeRest(lines[at + count + 1])) count += 1;
  // A line that is broken twice may be a rule up to the first break, and not one up to the second.
  if (count > 1 && parseRule(lines.slice(at, at + 1 + count).join('')).kind === 'rule') return count;
  let whole = lines[at] as string;
  for (let rest = 0; rest < count; rest += 1) {
    const next = `${whole}${lines[at + rest + 1]}`;
    if (parseRule(whole).kind === 'rule' && parseRule(next).kind !== 'rule') return rest;
    whole = next;
  }
  return count;
}

const narrowest = 60;
const widest = 400;
const mostParts = 16;

/** The length that several lines have and none exceeds, if some rule is incomplete. */
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
  // Line breaks by the author, marked as continued.
  if (lines.some((line) => line.length === width && line.endsWith('\\'))) return undefined;
  const isBroken = lines.some(
    (line) => line.length === width && cleanStart.test(line) && parseRule(line).kind === 'problem',
  );
  return isBroken ? width : undefined;
}

/** How a complete line of iptables-save begins: a chain line has its policy, a rule its chain. */
const cleanStart =
  /^(?:(?:\[\d+:\d+\] )?-[AINPFX] \S+(?: |$)|:[\w-]+ (?:[A-Z]+|-)(?: \[\d|$)|\*[a-z]+$|COMMIT$|# |Chain \S+ \()/;

function mayBeRest(line: string | undefined): boolean {
  return line !== undefined && line !== '' && !cleanStart.test(line);
}
