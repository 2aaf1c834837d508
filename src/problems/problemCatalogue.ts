import { causes } from './catalogue/causes.ts';
import { checkResults } from './catalogue/checkResults.ts';
import { diagnosticCatalogue } from './catalogue/diagnostics.ts';
import { modeChangeEntry, modeChanges } from './catalogue/modeChanges.ts';
import { findingCatalogue } from './findingCatalogue.ts';
import type { ProblemCode } from './problemCode.ts';
import type { ProblemEntry } from './problemEntry.ts';

/** Who names a problem: a comparison, a reader of input, `why` and `check-service`, a comparison of modes, `check`. */
export const problemKinds = ['finding', 'diagnostic', 'cause', 'change', 'check'] as const;

export type ProblemKind = (typeof problemKinds)[number];

/** One problem that has a code. */
export interface KnownProblem {
  readonly code: ProblemCode;
  readonly kind: ProblemKind;
  readonly entry: ProblemEntry;
}

/** All problems of one kind, in the order of their codes. */
export function problemsOf(kind: ProblemKind): readonly KnownProblem[] {
  return Object.keys(entries[kind])
    .sort()
    .map((code) => ({ code: code as ProblemCode, kind, entry: entries[kind][code] as ProblemEntry }));
}

/** Every problem that has a code, kind by kind. A code names one thing, wherever it is used. */
export function allProblems(): readonly KnownProblem[] {
  return problemKinds.flatMap(problemsOf);
}

/** The problem of a code; undefined: there is none. */
export function problemOf(code: string): KnownProblem | undefined {
  const kind = problemKinds.find((one) => Object.hasOwn(entries[one], code));
  const entry = kind && entries[kind][code];
  return kind && entry && { code: code as ProblemCode, kind, entry };
}

/** Other codes for the same, in whichever entry they are noted. */
export function aliasesOf(code: string): readonly string[] {
  const own = problemOf(code)?.entry.aliases ?? [];
  const others = allProblems().filter(({ entry }) => entry.aliases?.includes(code));
  return [...new Set([...own, ...others.map((other) => other.code)])].filter((other) => other !== code);
}

const entries: Readonly<Record<ProblemKind, Readonly<Record<string, ProblemEntry>>>> = {
  finding: findingCatalogue,
  diagnostic: diagnosticCatalogue,
  cause: causes,
  change: Object.fromEntries(Object.entries(modeChanges).map(([code, change]) => [code, modeChangeEntry(change)])),
  check: checkResults,
};
