import type { WalkEvent } from '../../walk/flow.ts';
import { type Fraction, fraction, plus } from '../../walk/values/fraction.ts';
import { trailItems } from '../../walk/values/trail.ts';
import type { TracedOutcome } from '../traceResult.ts';

/** The events of all outcomes as a tree: common events appear once, and it branches where chance does. */
export interface TraceTree {
  readonly events: readonly WalkEvent[];
  readonly branches: readonly TraceBranch[];
  /** The outcomes that end here; there are several only if their events are the same. */
  readonly outcomes: readonly TracedOutcome[];
}

export interface TraceBranch {
  /** The share among all packets that reach the branching; undefined: unknown. */
  readonly share: Fraction | undefined;
  readonly tree: TraceTree;
}

export function traceTree(outcomes: readonly TracedOutcome[]): TraceTree {
  return treeFrom(
    outcomes.map((outcome) => ({ outcome, path: trailItems(outcome.first.flow.path) })),
    0,
  );
}

interface Way {
  readonly outcome: TracedOutcome;
  readonly path: readonly WalkEvent[];
}

function treeFrom(ways: readonly Way[], from: number): TraceTree {
  const [first] = ways;
  let to = from;
  while (first !== undefined && ways.every(({ path }) => isSame(path[to], first.path[to]))) to += 1;
  const events = first?.path.slice(from, to) ?? [];
  const groups = new Map<string, Way[]>();
  const ended: Way[] = [];
  for (const way of ways) {
    const next = way.path[to];
    if (next === undefined) {
      ended.push(way);
      continue;
    }
    const key = eventKey(next);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [way]);
    else group.push(way);
  }
  if (groups.size === 0) return { events, branches: [], outcomes: ended.map(({ outcome }) => outcome) };
  const whole = sumOf(ways);
  const branches = [...groups.values()].map((group): TraceBranch => {
    return { share: ratio(sumOf(group), whole), tree: treeFrom(group, to) };
  });
  const own = ended.map(({ outcome }): TraceBranch => {
    return { share: ratio(outcome.share, whole), tree: { events: [], branches: [], outcomes: [outcome] } };
  });
  return { events, branches: [...branches, ...own], outcomes: [] };
}

function isSame(one: WalkEvent | undefined, other: WalkEvent | undefined): boolean {
  return one !== undefined && other !== undefined && eventKey(one) === eventKey(other);
}

/** One rule may lead to several ways: its action distinguishes them. */
function eventKey({ hook, leg, chain, rule, verdict, target, action }: WalkEvent): string {
  const { table } = chain;
  return `${hook} ${leg} ${table.backend} ${table.family} ${table.name} ${chain.name} ${rule?.number ?? ''} ${verdict} ${target ?? ''} ${action ?? ''}`;
}

function sumOf(ways: readonly Way[]): Fraction | undefined {
  let sum: Fraction | undefined = fraction(0, 1);
  for (const { outcome } of ways) sum = sum && outcome.share && plus(sum, outcome.share);
  return sum;
}

function ratio(part: Fraction | undefined, whole: Fraction | undefined): Fraction | undefined {
  return part === undefined || whole === undefined || whole.num === 0n
    ? undefined
    : fraction(part.num * whole.den, part.den * whole.num);
}
