import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { ClusterApi } from '../live/clusterApi.ts';
import type { HereReading } from '../live/node/readHere.ts';
import { type AgentState, type CheckResult, noDurations, type UnknownThing, withDuration } from './agentState.ts';
import type { Clock } from './clock.ts';
import type { ObjectKnowledge } from './follow/followObjects.ts';
import type { ObjectStore } from './follow/objectStore.ts';
import type { ComparedNode } from './judge/comparedNode.ts';
import { compareNode, type Known } from './judge/compareNode.ts';
import type { Judge } from './judge/openJudge.ts';

import { releaseMemory } from './judge/releaseMemory.ts';
import { createProblemTracker, type ProblemEvent, type ProblemTracker } from './track/trackProblems.ts';

/** What a loop checks, and what it calls. */
export interface CheckSurroundings {
  readonly node: string;
  readonly version: string;
  readonly interval: number;
  /** How long a difference must last, in milliseconds: kube-proxy's settings may require more than the option. */
  readonly settle: () => number;
  readonly clock: Clock;
  readonly api: Pick<ClusterApi, 'get'>;
  readonly store: ObjectStore;
  readonly knowledge: () => ObjectKnowledge;
  readonly judge: Judge;
  /** Reads the rules; undefined: they cannot be read. */
  readonly read: (report: (problem: Diagnostic) => void) => Promise<HereReading | undefined>;
  /** A random share from 0 to 1 of the interval: agents of many nodes do not all read at once. */
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
  /** Something changed: the loop looks at it soon. */
  readonly changed: () => void;
  /** Runs until `signal` ends it. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What a loop knows from one check to the next. */
interface Memory {
  state: AgentState;
  /** The last comparison. */
  compared: Known | undefined;
  /** The files of the last whole reading. */
  readFiles: ReadonlySet<string>;
  /** Since when all objects have been known. */
  knownSince: number;
  /** How long the last check waited for the server, in milliseconds. */
  waited: number;
  readonly tracker: ProblemTracker;
}

/**
 * Checks the rules at the interval, and sooner when an object changed. Equal rules and objects are not compared again.
 * While objects or rules are unknown, nothing is judged and previous findings stay.
 */
export function createCheckLoop(around: CheckSurroundings): CheckLoop {
  const { clock, store, interval } = around;
  const memory = newMemory(around);
  let changedAt = Number.NEGATIVE_INFINITY;
  // The lists of objects come first.
  let nextRegular = clock.now() + shortestRest;
  let earliest = clock.now();
  const due = () => {
    const { compared, tracker } = memory;
    const isOpen = compared?.revision !== store.revision() || compared.open.size > 0;
    const soon = [tracker.nextAt(), isOpen ? changedAt + around.settle() + slack : undefined];
    return Math.max(earliest, Math.min(nextRegular, ...soon.filter((time) => time !== undefined)));
  };
  const run = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      const start = clock.now();
      const wait = due() - start;
      if (wait > 0) {
        await clock.sleep(Math.min(wait, longestSleep), signal);
        memory.state = { ...memory.state, aliveAt: clock.now() };
        continue;
      }
      const outcome = await check(around, memory);
      const end = clock.now();
      nextRegular = end + interval * (0.9 + around.random() / 5);
      // However often things change, the agent rests most of the time. It rests too while a server does not answer.
      earliest = end + Math.max(shortestRest, restPerCheck * (end - start - memory.waited));
      await around.checked(outcome);
    }
  };
  const changed = () => {
    changedAt = clock.now();
  };
  return { state: () => memory.state, changed, run };
}

function newMemory({ clock, node, version }: CheckSurroundings): Memory {
  const state: AgentState = {
    node,
    version,
    startedAt: clock.date(),
    isApiUp: false,
    unknown: new Map(),
    gaps: [],
    last: undefined,
    problems: [],
    checks: { in_order: 0, differs: 0, unknown: 0 },
    comparisons: { node: { count: 0, seconds: 0 }, services: { count: 0, seconds: 0 } },
    durations: noDurations,
    events: { written: 0, failed: 0 },
    aliveAt: clock.now(),
  };
  return {
    state,
    compared: undefined,
    readFiles: new Set(),
    knownSince: clock.now(),
    waited: 0,
    tracker: createProblemTracker(),
  };
}

async function check(around: CheckSurroundings, memory: Memory): Promise<CheckOutcome> {
  const { clock, store } = around;
  const start = clock.now();
  const turned: Turned[] = [];
  const turn: Turn = (thing, why) => setUnknown(around, memory, thing, why, turned);
  const reading = await readAll(around, memory, turn);
  const now = reading && (await compare(around, memory, reading, start, turn));
  let events: readonly ProblemEvent[] = [];
  let result: CheckResult = 'unknown';
  if (now !== undefined) {
    memory.compared = now;
    const groundSince = Math.max(memory.knownSince, store.changedAt('ground'));
    const policiesSince = store.changedAt('policies');
    const { problems } = now.judged;
    const date = clock.date();
    events = memory.tracker.observe({
      at: start,
      date,
      problems,
      changing: now.open,
      settle: around.settle(),
      groundSince,
      policiesSince,
    });
    const tracked = memory.tracker.problems();
    result = tracked.some(({ isSettled }) => isSettled) ? 'differs' : 'in_order';
    memory.state = { ...memory.state, problems: tracked };
  }
  const { state } = memory;
  const end = clock.now();
  memory.state = {
    ...state,
    durations: withDuration(state.durations, (end - start) / 1000),
    aliveAt: end,
    checks: { ...state.checks, [result]: state.checks[result] + 1 },
  };
  return { state: memory.state, events, turned };
}

type Turned = CheckOutcome['turned'][number];
type Turn = (thing: UnknownThing, why: string | undefined) => void;

function setUnknown(
  { clock }: CheckSurroundings,
  memory: Memory,
  thing: UnknownThing,
  why: string | undefined,
  turned: Turned[],
): void {
  const before = memory.state.unknown.get(thing);
  if (before?.why === why) return;
  const unknown = new Map(memory.state.unknown);
  if (why === undefined) unknown.delete(thing);
  else unknown.set(thing, { since: before?.since ?? clock.now(), sinceDate: before?.sinceDate ?? clock.date(), why });
  memory.state = { ...memory.state, unknown };
  if ((before === undefined) !== (why === undefined)) turned.push({ thing, why });
}

/** Undefined: objects or rules are not known. */
async function readAll(around: CheckSurroundings, memory: Memory, turn: Turn): Promise<HereReading | undefined> {
  const start = around.clock.now();
  // Watches may hang: each time, the loop checks that the server answers.
  const ping = await around.api.get(`/api/v1/nodes/${encodeURIComponent(around.node)}`);
  memory.waited = around.clock.now() - start;
  const { unknown, gaps } = around.knowledge();
  const isApiUp = ping.kind !== 'failed';
  const wasKnown = memory.state.last !== undefined && !memory.state.unknown.has('objects');
  memory.state = { ...memory.state, isApiUp, gaps };
  turn('objects', isApiUp ? unknown : ping.message);
  const isKnown = !memory.state.unknown.has('objects');
  if (isKnown && !wasKnown) memory.knownSince = around.clock.now();
  // What the first lists left behind would lie beside the dumps.
  if (memory.compared === undefined && isKnown) releaseMemory();
  const said: Diagnostic[] = [];
  const reading = await around.read((problem) => said.push(problem));
  // Half of the previous content is not less: the other half is unknown.
  const isHalf = reading !== undefined && [...reading.failed].some((file) => memory.readFiles.has(file));
  turn('rules', reading === undefined || isHalf ? wordsOf(said) : undefined);
  if (reading === undefined || isHalf) return undefined;
  memory.state = { ...memory.state, gaps: [...gaps, ...said.map(({ message }) => message)] };
  memory.readFiles = new Set(reading.answers.map(({ command }) => command.file));
  return isKnown ? reading : undefined;
}

/** Undefined: the comparison failed. */
async function compare(
  around: CheckSurroundings,
  memory: Memory,
  { answers }: HereReading,
  start: number,
  turn: Turn,
): Promise<Known | undefined> {
  const { store, clock, node } = around;
  const changing = store.changedSince(start - around.settle());
  const files = answers.map(({ command: { file }, bytes }) => ({ file, bytes }));
  const { ask, askPortion, askPart, rest } = around.judge;
  const judges = { node: ask, portion: askPortion, services: askPart };
  let isInPortions = false;
  const judge: ComparedNode['judge'] = (request, of) => {
    isInPortions ||= of === 'portion';
    return judges[of](request);
  };
  const begun = clock.now();
  const compared = await compareNode({ node, store, files, changing, at: start, judge }, memory.compared);
  if (isInPortions) await rest();
  turn('comparison', compared.kind === 'undecided' ? compared.why : undefined);
  if (compared.kind === 'undecided') return undefined;
  const { scope, known } = compared;
  const { mode, notes, report } = known.judged;
  const last = { date: clock.date(), at: start, mode, report, notes, changing: known.open };
  memory.state = { ...memory.state, last };
  if (scope !== 'nothing') {
    const { comparisons } = memory.state;
    const { count, seconds } = comparisons[scope];
    const costs = { count: count + 1, seconds: seconds + (clock.now() - begun) / 1000 };
    memory.state = { ...memory.state, comparisons: { ...comparisons, [scope]: costs } };
  }
  return known;
}

/** Milliseconds. The due time may change meanwhile. */
const longestSleep = 500;
const shortestRest = 500;
const slack = 50;
const restPerCheck = 3;

function wordsOf(said: readonly Diagnostic[]): string {
  return said.map(({ message }) => message).join('; ') || 'the rules cannot be read';
}
