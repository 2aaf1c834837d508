import type { ReportProblem } from '../core.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ClusterApi } from '../live/clusterApi.ts';
import type { HereReading } from '../live/node/readHere.ts';
import { type AgentState, type CheckResult, noDurations, type UnknownThing, withDuration } from './agentState.ts';
import type { Clock } from './clock.ts';
import type { ObjectKnowledge } from './follow/followObjects.ts';
import type { ObjectStore } from './follow/objectStore.ts';
import type { Judge } from './judge/openJudge.ts';
import { stableHash } from './judge/stableHash.ts';
import { createProblemTracker, type ProblemEvent } from './track/trackProblems.ts';

/** What a loop looks at, and whom it tells. */
export interface CheckSurroundings {
  readonly node: string;
  readonly version: string;
  readonly interval: number;
  /** How long a difference has to stay, in milliseconds: kube-proxy's settings may ask for more than the option. */
  readonly settle: () => number;
  readonly clock: Clock;
  readonly api: Pick<ClusterApi, 'get'>;
  readonly store: ObjectStore;
  readonly knowledge: () => ObjectKnowledge;
  readonly judge: Judge;
  /** Reads the rules; undefined: they cannot be read. */
  readonly read: (report: (problem: Diagnostic) => void) => Promise<HereReading | undefined>;
  /** A share from 0 to 1, for the interval: agents of many nodes do not ask all at once. */
  readonly random: () => number;
  /** After each check. */
  readonly checked: (outcome: CheckOutcome) => Promise<void>;
}

export interface CheckOutcome {
  readonly state: AgentState;
  readonly events: readonly ProblemEvent[];
  /** What became unknown, or known again. */
  readonly turned: readonly { readonly thing: UnknownThing; readonly why: string | undefined }[];
}

export interface CheckLoop {
  readonly state: () => AgentState;
  /** Something changed: it is looked at soon. */
  readonly changed: () => void;
  /** Until `signal` ends it. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** The last comparison, and what it was made of. */
interface Compared {
  readonly hash: string;
  readonly revision: number;
  readonly changing: ReadonlySet<string>;
  readonly problems: readonly ReportProblem[];
}

/**
 * Looks at the rules at the interval, and sooner when an object changed. Equal rules and objects are not compared again.
 * While objects or rules are not known, nothing is judged and what was found stands.
 */
export function createCheckLoop(around: CheckSurroundings): CheckLoop {
  const { clock, store, interval } = around;
  const tracker = createProblemTracker();
  let state: AgentState = {
    node: around.node,
    version: around.version,
    startedAt: clock.date(),
    isApiUp: false,
    unknown: new Map(),
    gaps: [],
    last: undefined,
    problems: [],
    checks: { in_order: 0, differs: 0, unknown: 0 },
    comparisons: 0,
    durations: noDurations,
    events: { written: 0, failed: 0 },
    aliveAt: clock.now(),
  };
  let compared: Compared | undefined;
  let readFiles: ReadonlySet<string> = new Set();
  let changedAt = Number.NEGATIVE_INFINITY;
  let knownSince = clock.now();
  let nextRegular = clock.now();
  let earliest = clock.now();

  const setUnknown = (thing: UnknownThing, why: string | undefined, turned: Turned[]) => {
    const before = state.unknown.get(thing);
    if (before?.why === why) return;
    const unknown = new Map(state.unknown);
    if (why === undefined) unknown.delete(thing);
    else unknown.set(thing, { since: before?.since ?? clock.now(), sinceDate: before?.sinceDate ?? clock.date(), why });
    state = { ...state, unknown };
    if ((before === undefined) !== (why === undefined)) turned.push({ thing, why });
  };

  /** Undefined: something is not known. */
  const readAll = async (turned: Turned[]): Promise<HereReading | undefined> => {
    const ping = await around.api.get(`/api/v1/nodes/${encodeURIComponent(around.node)}`);
    const { unknown, gaps } = around.knowledge();
    const isApiUp = ping.kind !== 'failed';
    state = { ...state, isApiUp, gaps };
    const wasKnown = state.last !== undefined && !state.unknown.has('objects');
    setUnknown('objects', isApiUp ? unknown : ping.message, turned);
    const isKnown = !state.unknown.has('objects');
    if (isKnown && !wasKnown) knownSince = clock.now();
    const said: Diagnostic[] = [];
    const reading = await around.read((problem) => said.push(problem));
    // Half of what was there before is not less: the other half is unknown.
    const lost = reading && [...reading.failed].some((file) => readFiles.has(file));
    setUnknown('rules', reading === undefined || lost ? wordsOf(said) : undefined, turned);
    if (reading === undefined || lost) return undefined;
    readFiles = new Set(reading.answers.map(({ command }) => command.file));
    return isKnown ? reading : undefined;
  };

  const compare = async (reading: HereReading, start: number, turned: Turned[]): Promise<Compared | undefined> => {
    const hash = reading.answers.map(({ command: { file }, bytes }) => `${file} ${stableHash(file, bytes)}`).join('\n');
    const changing = store.changedSince(start - around.settle());
    const revision = store.revision();
    const isSame = compared?.hash === hash && compared.revision === revision;
    // Those that were left out because they had just changed are looked at when they no longer are.
    if (compared !== undefined && isSame && [...compared.changing].every((service) => changing.has(service)))
      return compared;
    const judgement = await around.judge.ask({
      node: around.node,
      objects: [...store.all()],
      files: reading.answers.map(({ command: { file }, bytes }) => ({ file, bytes })),
      changing,
    });
    setUnknown('comparison', judgement.kind === 'undecided' ? judgement.why : undefined, turned);
    if (judgement.kind === 'undecided') return undefined;
    const { report, mode, notes, problems } = judgement;
    state = {
      ...state,
      comparisons: state.comparisons + 1,
      last: { date: clock.date(), mode, report, notes, changing },
    };
    return { hash, revision, changing, problems };
  };

  const check = async (): Promise<CheckOutcome> => {
    const start = clock.now();
    const turned: Turned[] = [];
    const reading = await readAll(turned);
    const now = reading && (await compare(reading, start, turned));
    let events: readonly ProblemEvent[] = [];
    let result: CheckResult = 'unknown';
    if (now !== undefined) {
      compared = now;
      const groundSince = Math.max(knownSince, store.changedAt('ground'), store.changedAt('policies'));
      const { problems, changing } = now;
      events = tracker.observe({
        at: start,
        date: clock.date(),
        problems,
        changing,
        settle: around.settle(),
        groundSince,
      });
      const tracked = tracker.problems();
      result = tracked.some(({ isSettled }) => isSettled) ? 'differs' : 'in_order';
      state = { ...state, problems: tracked, last: state.last && { ...state.last, date: clock.date() } };
    }
    const end = clock.now();
    const durations = withDuration(state.durations, (end - start) / 1000);
    state = { ...state, durations, aliveAt: end, checks: { ...state.checks, [result]: state.checks[result] + 1 } };
    nextRegular = end + interval * (0.9 + around.random() / 5);
    // However often things change, most of the time the agent rests.
    earliest = end + Math.max(shortestRest, restPerCheck * (end - start));
    return { state, events, turned };
  };

  const due = () => {
    const isOpen = compared?.revision !== store.revision() || compared.changing.size > 0;
    const soon = [tracker.nextAt(), isOpen ? changedAt + around.settle() + slack : undefined].filter(
      (time) => time !== undefined,
    );
    return Math.max(earliest, Math.min(nextRegular, ...soon));
  };

  return {
    state: () => state,
    changed: () => {
      changedAt = clock.now();
    },
    run: async (signal) => {
      while (!signal.aborted) {
        const wait = due() - clock.now();
        if (wait > 0) {
          await clock.sleep(Math.min(wait, longestSleep), signal);
          state = { ...state, aliveAt: clock.now() };
          continue;
        }
        await around.checked(await check());
      }
    },
  };
}

type Turned = CheckOutcome['turned'][number];

/** Milliseconds. What is due may change meanwhile. */
const longestSleep = 500;
const shortestRest = 500;
const slack = 50;
const restPerCheck = 3;

function wordsOf(said: readonly Diagnostic[]): string {
  return said.map(({ message }) => message).join('; ') || 'the rules cannot be read';
}
