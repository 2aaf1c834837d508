import { pushAll } from '../../common/pushAll.ts';
import { approximate } from '../../walk/values/fraction.ts';
import type { AskProbe } from './askProbes.ts';
import { countOutcomes } from './countOutcomes.ts';
import { labOutcomeKey } from './labOutcomeKey.ts';
import type { LabProbe } from './labProbe.ts';
import type { ProbeResult } from './labResult.ts';
import type { PredictedOutcome, SeenByNode } from './predictProbe.ts';
import type { ProbeOutcome } from './runProbes.ts';

/** What comparing needs of a lab. */
export interface ComparedLab {
  readonly ask: AskProbe;
  readonly predict: (probe: LabProbe, seen?: SeenByNode) => readonly PredictedOutcome[];
  /** Empties what rules remember of clients; undefined: nothing can (IPVS). */
  readonly forget: (() => Promise<void>) | undefined;
  /** How long to wait for an answer where none is expected. */
  readonly timeoutMs: number;
}

/**
 * Asks each probe until everything has happened that the walk says may happen, or should have with all but certainty.
 * Something else that happens, and something that never does, is a problem. Clients that rules remember are forgotten
 * between their connections; the next one of a client that is remembered must agree too.
 */
export async function compareProbes(probes: readonly LabProbe[], lab: ComparedLab): Promise<readonly ProbeResult[]> {
  const runs = probes.map((probe): Run => {
    const expected = lab.predict(probe);
    const isRemembered = expected.some(({ memory }) => [...memory.values()].some((seen) => seen.length > 0));
    const { forget } = lab;
    return {
      probe,
      expected,
      wanted: wantedOf(expected, isRemembered && !forget),
      isRemembered,
      got: [],
      problems: [],
    };
  });
  await askOften(
    runs.filter((run) => !run.isRemembered || lab.forget === undefined),
    lab,
  );
  if (lab.forget !== undefined)
    await askRemembered(
      runs.filter(({ isRemembered }) => isRemembered),
      lab,
      lab.forget,
    );
  for (const run of runs) await askAgain(run, lab);
  return runs.map(({ probe, expected, got, problems, ...run }) => {
    const all = [...problems, ...problemsWith({ probe, expected, got, problems, ...run })];
    return { probe, outcomes: countOutcomes(got), compared: { expected, problems: all } };
  });
}

interface Run {
  readonly probe: LabProbe;
  readonly expected: readonly PredictedOutcome[];
  /** Connections, at most. */
  readonly wanted: number;
  readonly isRemembered: boolean;
  readonly got: ProbeOutcome[];
  readonly problems: string[];
}

/** So many that what has the smallest chance is missed once in a billion runs; beyond some thousands only what comes is held. */
function wantedOf(expected: readonly PredictedOutcome[], isStuck: boolean): number {
  const keys = new Set(expected.map(({ end }) => labOutcomeKey(end)));
  if (keys.size < 2 || isStuck) return 2;
  const shares = sharesOf(expected);
  if (shares === undefined) return 10;
  const least = Math.min(...shares.values());
  return Math.min(mostConnections, Math.ceil(Math.log(1e-9) / Math.log(1 - least)));
}

const mostConnections = 4000;

/** Of each end; undefined: nobody can say. */
function sharesOf(expected: readonly PredictedOutcome[]): ReadonlyMap<string, number> | undefined {
  const shares = new Map<string, number>();
  for (const { end, share } of expected) {
    if (share === undefined) return undefined;
    const key = labOutcomeKey(end);
    shares.set(key, (shares.get(key) ?? 0) + approximate(share));
  }
  return shares;
}

/** An answer that is expected has all the time that a busy machine may need. */
function patience({ expected }: Pick<Run, 'expected'>, { timeoutMs }: ComparedLab): number {
  const isSilent = expected.some(({ end }) => end.kind === 'timeout' || end.kind === 'unknown');
  return isSilent ? timeoutMs : 10_000;
}

/** In growing numbers, until nothing is missing. */
async function askOften(runs: readonly Run[], lab: ComparedLab): Promise<void> {
  let open = runs;
  for (let times = 2; open.length > 0; times = Math.min(times * 2, 256)) {
    await Promise.all(
      open.map(async (run) => {
        const count = Math.min(times, run.wanted - run.got.length);
        pushAll(run.got, await lab.ask(run.probe, count, patience(run, lab)));
      }),
    );
    open = open.filter((run) => run.got.length < run.wanted && missing(run).length > 0);
  }
}

/** One probe a client at a time: each leaves something behind that the next one would meet. */
async function askRemembered(runs: readonly Run[], lab: ComparedLab, forget: () => Promise<void>): Promise<void> {
  const queues = new Map<string, Run[]>();
  for (const run of runs) queues.set(run.probe.from.name, [...(queues.get(run.probe.from.name) ?? []), run]);
  for (let open = [...queues.values()]; open.length > 0; open = open.filter((queue) => queue.length > 0)) {
    await forget();
    await Promise.all(open.map((queue) => askTwice(queue[0] as Run, lab)));
    for (const queue of open) {
      const [run] = queue;
      if (run !== undefined && (run.got.length >= run.wanted || missing(run).length === 0)) queue.shift();
    }
  }
}

/** A new connection, and the next one of the client that is known now. */
async function askTwice(run: Run, lab: ComparedLab): Promise<void> {
  const { probe, expected } = run;
  const [first] = await lab.ask(probe, 1, patience(run, lab));
  if (first === undefined) return;
  run.got.push(first);
  const ways = expected.filter(({ end }) => labOutcomeKey(end) === labOutcomeKey(first));
  if (ways.length === 0 || first.kind !== 'answered') return;
  const [second] = await lab.ask(probe, 1, patience(run, lab));
  const next = ways.flatMap(({ memory }) => lab.predict(probe, memory));
  if (second === undefined || next.some(({ end }) => labOutcomeKey(end) === labOutcomeKey(second))) return;
  run.problems.push(
    `after ${describeOutcome(first)}, the next connection of this client: ${describeOutcome(second)}; the walk says ${describeAll(next)}`,
  );
}

/** A busy machine may miss an answer: silence is believed when it comes again. */
async function askAgain(run: Run, lab: ComparedLab): Promise<void> {
  const isSilent = ({ kind }: ProbeOutcome) => kind === 'timeout';
  const isExpected = run.expected.some(({ end }) => end.kind === 'timeout' || end.kind === 'unknown');
  if (isExpected || !run.got.some(isSilent)) return;
  const kept = run.got.filter((outcome) => !isSilent(outcome));
  const again = await lab.ask(run.probe, 10, 10_000);
  run.got.splice(0, run.got.length, ...kept, ...again);
}

function missing({ expected, got }: Pick<Run, 'expected' | 'got'>): readonly PredictedOutcome[] {
  const met = new Set(got.map(labOutcomeKey));
  const seen = new Set<string>();
  return expected.filter(({ end, share }) => {
    const key = labOutcomeKey(end);
    if (met.has(key) || seen.has(key) || end.kind === 'unknown' || (share && share.num === 0n)) return false;
    seen.add(key);
    return true;
  });
}

function problemsWith({ expected, got, wanted }: Run): readonly string[] {
  if (expected.some(({ end }) => end.kind === 'unknown')) return [];
  const allowed = new Set(expected.map(({ end }) => labOutcomeKey(end)));
  const other = countOutcomes(got).filter(({ outcome }) => !allowed.has(labOutcomeKey(outcome)));
  const problems = other.map(
    ({ outcome, count }) => `${count}× ${describeOutcome(outcome)}; the walk says ${describeAll(expected)}`,
  );
  const shares = sharesOf(expected);
  const isLikely = (one: PredictedOutcome) => {
    const share = shares?.get(labOutcomeKey(one.end)) ?? 0;
    return (1 - share) ** got.length < 1e-8;
  };
  if (got.length < wanted || other.length > 0) return problems;
  const never = missing({ expected, got }).filter(isLikely);
  return [...problems, ...never.map(({ end }) => `never ${describeOutcome(end)} in ${got.length} connections`)];
}

function describeAll(expected: readonly PredictedOutcome[]): string {
  const all = new Map(expected.map(({ end }) => [labOutcomeKey(end), describeOutcome(end)]));
  const some = [...all.values()].slice(0, 6);
  return `${some.join(', or ')}${all.size > some.length ? ', or …' : ''}`;
}

function describeOutcome(end: ProbeOutcome | PredictedOutcome['end']): string {
  switch (end.kind) {
    case 'answered':
      return `an answer of ${end.by}, which sees ${end.sawSource}`;
    case 'unknown':
      return `unknown (${end.why})`;
    case 'timeout':
      return 'no answer';
    default:
      return end.kind;
  }
}
