import type { ChainDiff } from '../../compare/compareSets.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { RuleChain } from '../../node/ruleChain.ts';

/**
 * What differs now and differed in an `earlier` look at the same node: the same lines of the same chain, each on the same
 * side. In a cluster where objects keep changing, some line is always on its way, but none for long.
 */
export function lastingDiffs(diffs: readonly ChainDiff[], earlier: readonly ChainDiff[]): readonly ChainDiff[] {
  const before = new Map(earlier.map((diff) => [keyOf(diff), diff]));
  return diffs.flatMap((diff) => {
    const known = before.get(keyOf(diff));
    return known === undefined ? [] : (lastingPart(diff, known) ?? []);
  });
}

function lastingPart(diff: ChainDiff, before: ChainDiff): ChainDiff | undefined {
  const { policies, ...chain } = diff;
  const missing = kept(diff.expected, diff.missing, before.expected, before.missing);
  const extra = kept(diff.found, diff.extra, before.found, before.extra);
  const moved = new Set(kept(diff.expected, diff.moved.map(placeOf), before.expected, before.moved.map(placeOf)));
  const hasPolicies =
    policies !== undefined &&
    policies.expected === before.policies?.expected &&
    policies.found === before.policies.found;
  const hasLines = missing.length + extra.length + moved.size > 0;
  if (!hasLines && !hasPolicies && !(isEmptyChain(diff) && sideOf(diff) === sideOf(before))) return undefined;
  const lines = { missing, extra, moved: diff.moved.filter((move) => moved.has(placeOf(move))) };
  return { ...chain, ...lines, ...(hasPolicies && { policies }) };
}

/** Without lines it differs by being there. */
function isEmptyChain({ missing, extra, ...diff }: ChainDiff): boolean {
  return sideOf(diff) !== 'both' && missing.length + extra.length === 0;
}

function sideOf({ expected, found }: Pick<ChainDiff, 'expected' | 'found'>): 'expected' | 'found' | 'both' {
  if (expected === undefined) return 'found';
  return found === undefined ? 'expected' : 'both';
}

function placeOf([expected]: readonly [expected: number, found: number]): number {
  return expected;
}

/** Of some lines of a chain those that were among some lines of it before. */
function kept(
  chain: RuleChain | undefined,
  places: readonly number[],
  chainBefore: RuleChain | undefined,
  placesBefore: readonly number[],
): readonly number[] {
  if (places.length === 0 || placesBefore.length === 0) return [];
  const [lines, linesBefore] = [linesOf(chain), linesOf(chainBefore)];
  const before = new Set(placesBefore.map((at) => linesBefore[at]));
  return places.filter((at) => before.has(lines[at]));
}

function keyOf({ foundSet: { kind, family }, table, chain }: ChainDiff): string {
  return `${kind} ${family} ${table} ${chain}`;
}
