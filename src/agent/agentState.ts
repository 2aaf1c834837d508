import type { DiffReport } from '../public/core.ts';
import type { TrackedProblem } from './track/trackProblems.ts';

/** Facts that the agent may not know for a while. */
export const unknownThings = ['objects', 'rules', 'comparison'] as const;
export type UnknownThing = (typeof unknownThings)[number];

/** Since when something is unknown, by both clocks, and why. */
export interface Unknown {
  readonly since: number;
  readonly sinceDate: Date;
  readonly why: string;
}

/** The last comparison with a result. */
export interface LastCheck {
  readonly date: Date;
  /** The same by the clock that only rises. */
  readonly at: number;
  readonly mode: string;
  readonly report: DiffReport;
  readonly notes: readonly string[];
  /** Services that were changing at that time. */
  readonly changing: ReadonlySet<string>;
}

export const checkResults = ['in_order', 'differs', 'unknown'] as const;
export type CheckResult = (typeof checkResults)[number];

/** Everything that the agent publishes: changed parts are replaced, never modified. */
export interface AgentState {
  readonly node: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly isApiUp: boolean;
  readonly unknown: ReadonlyMap<UnknownThing, Unknown>;
  /** What the account may not read and the agent leaves out, in words. */
  readonly gaps: readonly string[];
  readonly last: LastCheck | undefined;
  readonly problems: readonly TrackedProblem[];
  readonly checks: Readonly<Record<CheckResult, number>>;
  /** Of the whole node, and of a few Services that changed. */
  readonly comparisons: Readonly<Record<ComparisonScope, ComparisonCosts>>;
  readonly durations: Durations;
  /** Events that were written, and failures to write them. */
  readonly events: { readonly written: number; readonly failed: number };
  /** When the loop last did something, by the clock that only rises. */
  readonly aliveAt: number;
}

export const comparisonScopes = ['node', 'services'] as const;
export type ComparisonScope = (typeof comparisonScopes)[number];

export interface ComparisonCosts {
  readonly count: number;
  /** How long they took together. */
  readonly seconds: number;
}

/** A histogram: how many checks took at most a number of seconds. */
export interface Durations {
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** Seconds. */
export const durationBounds: readonly number[] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

export const noDurations: Durations = { counts: durationBounds.map(() => 0), sum: 0, count: 0 };

export function withDuration({ counts, sum, count }: Durations, seconds: number): Durations {
  return {
    counts: counts.map((own, at) => own + (seconds <= (durationBounds[at] ?? 0) ? 1 : 0)),
    sum: sum + seconds,
    count: count + 1,
  };
}

/** The states of the node's Services; changing ones are counted separately from judged ones. */
export interface ServiceCounts {
  readonly same: number;
  readonly differs: number;
  readonly missing: number;
  readonly changing: number;
  /** Rules for deleted Services still exist. */
  readonly unexpected: number;
}

export function serviceCounts({ last, problems }: Pick<AgentState, 'last' | 'problems'>): ServiceCounts {
  if (last === undefined) return { same: 0, differs: 0, missing: 0, changing: 0, unexpected: 0 };
  const missing = new Set<string>();
  const differing = new Set<string>();
  const open = new Set(last.changing);
  let unexpected = 0;
  for (const { problem, isSettled } of problems) {
    const { id, service, parts, isServiceMissing } = problem;
    if (id === 'K8N202') unexpected += isSettled ? Math.max(1, parts.length) : 0;
    else if (service !== undefined) (isSettled ? (isServiceMissing ? missing : differing) : open).add(service);
    else if (isSettled) for (const part of parts) if (part.includes('/')) differing.add(part);
  }
  for (const service of missing) differing.delete(service);
  for (const service of [...missing, ...differing]) open.delete(service);
  const { services } = last.report.summary;
  const same = Math.max(0, services - missing.size - differing.size - open.size);
  return { same, differs: differing.size, missing: missing.size, changing: open.size, unexpected };
}

/** How many seconds the rules have differed from the objects; 0: they agree. */
export function secondsBehind({ problems }: Pick<AgentState, 'problems'>, now: number): number {
  const first = problems.reduce((least, { since }) => Math.min(least, since), now);
  return Math.max(0, now - first) / 1000;
}
