import type { ListedDetail } from './listedDetail.ts';
import { listedMatches } from './listedMatches.ts';
import { listedTargets } from './listedTargets.ts';

/** What the details of a row say: matches before `-j`, options of the target after it. */
export interface ReadDetails {
  readonly matches: readonly string[];
  readonly options: readonly string[];
  readonly isGoto: boolean;
}

/**
 * Reads what `iptables -L` prints after the columns: a comment, `tcp dpt:80`, `to:10.0.0.1:80`. Undefined: part of it
 * is unknown.
 */
export function readDetails(text: string, target: string): ReadDetails | undefined {
  const matches: string[] = [];
  const options: string[] = [];
  // xt_bpf ends what it prints with a null byte.
  let rest = text.replaceAll('\0', '').trim();
  let isGoto = false;
  while (rest !== '') {
    if (rest.startsWith('[goto]')) {
      isGoto = true;
      rest = rest.slice('[goto]'.length).trimStart();
      continue;
    }
    if (rest.startsWith('/*')) {
      const comment = readComment(rest, target);
      if (comment === undefined) return undefined;
      matches.push(comment.match);
      rest = comment.rest;
      continue;
    }
    const option = readOne(rest, listedTargets, target);
    const match = option ?? readOne(rest, listedMatches, target);
    if (match === undefined) return undefined;
    if (match.written !== '') (option === undefined ? matches : options).push(match.written);
    rest = match.rest;
  }
  return { matches, options, isGoto };
}

function readOne(
  rest: string,
  details: readonly ListedDetail[],
  target: string,
): { readonly written: string; readonly rest: string } | undefined {
  for (const { pattern, write } of details) {
    const match = pattern.exec(rest);
    if (match === null) continue;
    const after = rest.slice(match[0].length);
    if (after !== '' && !/^\s/.test(after) && !/\s$/.test(match[0])) continue;
    const written = write(match, target);
    if (written !== undefined) return { written, rest: after.trimStart() };
  }
  return undefined;
}

/** A comment ends at the first mark after which the row makes sense. */
function readComment(text: string, target: string): { readonly match: string; readonly rest: string } | undefined {
  let tries = 0;
  for (let end = text.indexOf('*/', 2); end !== -1 && tries < mostMarks; end = text.indexOf('*/', end + 2)) {
    tries += 1;
    const after = text.slice(end + 2);
    if (after !== '' && !/^\s/.test(after)) continue;
    const rest = after.trimStart();
    const isEnd = rest === '' || rest.startsWith('/*') || rest.startsWith('[goto]');
    if (!isEnd && (readOne(rest, listedTargets, target) ?? readOne(rest, listedMatches, target)) === undefined)
      continue;
    const comment = text.slice(2, end).replace(/^ | $/g, '');
    return { match: `-m comment --comment ${inQuotes(comment)}`, rest };
  }
  return undefined;
}

/** A comment with more marks than these was only written to keep us busy. */
const mostMarks = 16;

/** As iptables-restore reads it back. */
function inQuotes(text: string): string {
  return `"${text.replace(/["\\']/g, '\\$&')}"`;
}
