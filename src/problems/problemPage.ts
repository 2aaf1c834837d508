import { findingExamples } from './findingExamples.ts';
import { aliasesOf, type KnownProblem, type ProblemKind, problemOf } from './problemCatalogue.ts';
import type { FindingCode, ProblemCode } from './problemCode.ts';
import type { ProblemEntry } from './problemEntry.ts';
import { linksOf, type ReferenceLink } from './referenceLinks.ts';

/** All that there is to say about one problem, whatever kind of problem it is. */
export interface ProblemPage extends ProblemEntry {
  readonly code: ProblemCode;
  readonly kind: ProblemKind;
  /** Whether it makes a run fail, and which commands name it. */
  readonly effect: string;
  /** Of a finding: a few lines that show it. */
  readonly example?: string;
  /** References with their addresses, where they have one. */
  readonly links: readonly ReferenceLink[];
  /** Other codes for the same. */
  readonly aliases: readonly string[];
}

/** The page of a code; undefined: there is no such problem. */
export function problemPage(code: string): ProblemPage | undefined {
  const problem = problemOf(code);
  if (problem === undefined) return undefined;
  const { kind, entry } = problem;
  const links = linksOf(entry.refs);
  const example = kind === 'finding' ? findingExamples[problem.code as FindingCode] : undefined;
  return {
    ...entry,
    code: problem.code,
    kind,
    effect: effectOf(problem),
    ...(example !== undefined && { example }),
    links,
    aliases: aliasesOf(code),
  };
}

function effectOf({ kind, entry: { severity, isAdvice } }: KnownProblem): string {
  if (kind === 'diagnostic') {
    return severity === 'error'
      ? 'It makes a run end with 2, and nothing is written.'
      : 'It stops nothing: lint fails for it only under --fail-on.';
  }
  if (kind === 'cause') return 'why and check-service name it as a cause.';
  if (kind === 'check') return 'It makes k8snet check fail.';
  if (kind === 'change') return 'migrate, convert --check and diff --compare behaviour group differences under it.';
  if (isAdvice) return 'It is about manifests, settings or kube-proxy’s design, and fails a run only under --fail-on.';
  return severity === 'info' ? 'It fails no run.' : 'It makes diff and doctor end with 1.';
}
