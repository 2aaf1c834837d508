import { addTo } from '../../common/addTo.ts';
import { pushAll } from '../../common/pushAll.ts';
import type { ChainDiff } from '../../compare/compareSets.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { ChainChanges } from '../groupChanges.ts';

/** Rules of one chain before and after, for a text that shows changes among unchanged rules. */
export interface ChainSides {
  readonly expected: readonly string[];
  readonly found: readonly string[];
}

/**
 * The changed rules among those of the dump. Rules that count as equal have one text on both sides, regardless of
 * spelling and place, and so do differences that are not to appear. `diffs` belong to this chain, one for each family
 * or node; without any, only the changed rules are known.
 */
export function chainSides({ changes }: ChainChanges, diffs: readonly ChainDiff[]): ChainSides {
  const missing = new Set<string>();
  const extra = new Set<string>();
  for (const change of changes) {
    if (change.expected !== undefined) missing.add(change.expected);
    if (change.found !== undefined) extra.add(change.found);
  }
  const sides = diffs.map((diff) => sidesOf(diff, missing, extra));
  // Declarations of chains are not rules.
  const expected = changes.flatMap((change) => change.expected ?? []);
  const found = changes.flatMap((change) => change.found ?? []);
  const rules = new Set(sides.flatMap((one) => [...one.expected, ...one.found]));
  return {
    expected: [...expected.filter((line) => !rules.has(line)), ...sides.flatMap((one) => one.expected)],
    found: [...found.filter((line) => !rules.has(line)), ...sides.flatMap((one) => one.found)],
  };
}

function sidesOf(diff: ChainDiff, missing: ReadonlySet<string>, extra: ReadonlySet<string>): ChainSides {
  const [should, is] = [linesOf(diff.expected), linesOf(diff.found)];
  const moved = diff.moved.filter(([at]) => missing.has(should[at] as string));
  const away = new Set([...diff.extra.filter((at) => extra.has(is[at] as string)), ...moved.map(([, at]) => at)]);
  const back = new Set([...diff.missing.filter((at) => missing.has(should[at] as string)), ...moved.map(([at]) => at)]);
  const behind = insertions(should, is, back);
  const expected = [...(behind.get(-1) ?? [])];
  for (const [at, line] of is.entries()) {
    if (!away.has(at)) expected.push(line);
    pushAll(expected, behind.get(at) ?? []);
  }
  return { expected, found: is };
}

/** Rules that only one side has follow the same rule as on that side. */
function insertions(
  should: readonly string[],
  is: readonly string[],
  back: ReadonlySet<number>,
): ReadonlyMap<number, readonly string[]> {
  const places = new Map<string, number[]>();
  for (let at = is.length - 1; at >= 0; at -= 1) addTo(places, is[at] as string, at);
  const behind = new Map<number, string[]>();
  let last = -1;
  for (const [at, line] of should.entries()) {
    if (back.has(at)) addTo(behind, last, line);
    else last = places.get(line)?.pop() ?? last;
  }
  return behind;
}
