import type { balanceFindings } from './catalogue/balanceFindings.ts';
import type { causes } from './catalogue/causes.ts';
import type { checkResults } from './catalogue/checkResults.ts';
import type { diagnosticCatalogue } from './catalogue/diagnostics.ts';
import type { dumpFindings } from './catalogue/dumpFindings.ts';
import type { ModeChangeCode } from './catalogue/modeChanges.ts';
import type { natFindings } from './catalogue/natFindings.ts';
import type { objectFindings } from './catalogue/objectFindings.ts';
import type { otherProgramFindings } from './catalogue/otherProgramFindings.ts';
import type { proxyModeFindings } from './catalogue/proxyModeFindings.ts';
import type { reachabilityFindings } from './catalogue/reachabilityFindings.ts';
import type { syncFindings } from './catalogue/syncFindings.ts';

/** What diagnostics report: kebab words. */
export type DiagnosticCode = keyof typeof diagnosticCatalogue;

/** Stable codes of findings: `K8N203`. */
export type FindingCode =
  | keyof typeof balanceFindings
  | keyof typeof dumpFindings
  | keyof typeof natFindings
  | keyof typeof objectFindings
  | keyof typeof otherProgramFindings
  | keyof typeof proxyModeFindings
  | keyof typeof reachabilityFindings
  | keyof typeof syncFindings;

/** Why a packet does not arrive, or a Service does not work. A cause that a diagnostic names too has its code. */
export type CauseCode = keyof typeof causes | 'no-endpoints';

/** Everything that `explain` knows by a code. */
export type ProblemCode = DiagnosticCode | FindingCode | CauseCode | ModeChangeCode | keyof typeof checkResults;
