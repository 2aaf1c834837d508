import type { ReportProblem } from '../../public/core.ts';

/** A problem and since when it has been seen; `isSettled`: it has outlasted kube-proxy's sync, and counts. */
export interface TrackedProblem {
  readonly problem: ReportProblem;
  /** By the clock that only rises, in milliseconds. */
  readonly since: number;
  readonly sinceDate: Date;
  readonly isSettled: boolean;
}

/** Problems that begin or cease to count, one for each kind of problem of each Service or of the node. */
export interface ProblemEvent {
  readonly event: 'begin' | 'end';
  /** `K8N203 shop/web`: two such findings are one event. */
  readonly key: string;
  readonly problem: ReportProblem;
}

/** One comparison, or a confirmation that nothing has changed since. */
export interface Observation {
  readonly at: number;
  readonly date: Date;
  readonly problems: readonly ReportProblem[];
  /** Services that changed less than `settle` ago: differences of theirs are not news, in either direction. */
  readonly changing: ReadonlySet<string>;
  /** How long a difference must last, in milliseconds. */
  readonly settle: number;
  /** Since when everything that all rules depend on has been known and unchanged. */
  readonly groundSince: number;
  /**
   * The same for what rules of NetworkPolicies depend on: Pods come and go all the time, and Services need not wait for
   * them.
   */
  readonly policiesSince: number;
}

/**
 * Separates lasting problems from transient ones: kube-proxy writes a change some time after it was made, so a
 * difference counts once it has lasted for `settle` milliseconds while neither it nor its Service changed. Its
 * disappearance counts at once. Nothing changes while the state is unknown.
 */
export interface ProblemTracker {
  readonly observe: (seen: Observation) => readonly ProblemEvent[];
  readonly problems: () => readonly TrackedProblem[];
  /** When a pending problem will count if nothing changes; undefined: no problem is pending. */
  readonly nextAt: () => number | undefined;
}

export function createProblemTracker(): ProblemTracker {
  let tracked: readonly Own[] = [];
  let needed: Waiting = { settle: 0, groundSince: 0, policiesSince: 0 };
  return {
    observe: (seen) => {
      const before = tracked;
      tracked = observed(before, seen);
      needed = seen;
      return eventsBetween(before, tracked);
    },
    problems: () => tracked,
    nextAt: () => {
      const open = tracked
        .filter(({ isSettled }) => !isSettled)
        .map((own) => settledAt(own.problem, own.since, needed));
      return open.length === 0 ? undefined : Math.min(...open);
    },
  };
}

interface Own extends TrackedProblem {
  /** When each of its parts was first seen. */
  readonly parts: ReadonlyMap<string, Seen>;
}

type Seen = Pick<TrackedProblem, 'since' | 'sinceDate'>;

function observed(before: readonly Own[], seen: Observation): readonly Own[] {
  const { at, date, problems, changing } = seen;
  const parts = new Map(before.flatMap((own) => [...own.parts]));
  const settled = new Set(
    before.flatMap((own) => (own.isSettled && own.problem.service ? [eventKey(own.problem)] : [])),
  );
  const now = problems.map((problem): Own => {
    const own = new Map(
      partsOf(problem).map((part) => [part, parts.get(part) ?? { since: at, sinceDate: date }] as const),
    );
    const first = [...own.values()].reduce((one, other) => (other.since < one.since ? other : one));
    // A Service that is known to be wrong stays wrong if it is wrong in another way.
    const isKnown = settled.has(eventKey(problem));
    const isSteady = problem.service === undefined || !changing.has(problem.service);
    return {
      problem,
      ...first,
      parts: own,
      isSettled: isKnown || (isSteady && at >= settledAt(problem, first.since, seen)),
    };
  });
  const shown = new Set(now.map(({ problem }) => eventKey(problem)));
  // The comparison says nothing about a Service that is changing: previous problems stay.
  const kept = before.filter(
    ({ problem, isSettled }) => isSettled && isUnjudged(problem, changing) && !shown.has(eventKey(problem)),
  );
  return [...now, ...kept];
}

type Waiting = Pick<Observation, 'settle' | 'groundSince' | 'policiesSince'>;

/** When a problem counts if nothing changes. Different rules of policies do not have findings of their own. */
function settledAt({ id }: ReportProblem, since: number, { settle, groundSince, policiesSince }: Waiting): number {
  const ground = id === 'unexplained' ? Math.max(groundSince, policiesSince) : groundSince;
  return Math.max(since, ground) + settle;
}

function isUnjudged({ service, parts }: ReportProblem, changing: ReadonlySet<string>): boolean {
  if (service !== undefined) return changing.has(service);
  return parts.length > 0 && parts.every((part) => changing.has(part));
}

/** What must last for a problem to last: if it is about several Services, any of them. */
function partsOf({ fingerprint, id, parts }: ReportProblem): readonly [string, ...string[]] {
  const [first, ...others] = parts.map((part) => `${id} ${part}`);
  return first === undefined ? [fingerprint] : [first, ...others];
}

/** The subject of one event. */
function eventKey({ id, service }: ReportProblem): string {
  return service === undefined ? id : `${id} ${service}`;
}

function eventsBetween(before: readonly Own[], now: readonly Own[]): readonly ProblemEvent[] {
  const earlier = settledKeys(before);
  const later = settledKeys(now);
  return [
    ...[...later].flatMap(([key, problem]) => (earlier.has(key) ? [] : [{ event: 'begin', key, problem } as const])),
    ...[...earlier].flatMap(([key, problem]) => (later.has(key) ? [] : [{ event: 'end', key, problem } as const])),
  ];
}

function settledKeys(all: readonly Own[]): ReadonlyMap<string, ReportProblem> {
  const keys = new Map<string, ReportProblem>();
  for (const { problem, isSettled } of all) {
    if (isSettled && !keys.has(eventKey(problem))) keys.set(eventKey(problem), problem);
  }
  return keys;
}
