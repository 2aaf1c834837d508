import type { causes } from './catalogue/causes.ts';
import type { checkResults } from './catalogue/checkResults.ts';
import type { diagnosticCatalogue } from './catalogue/diagnostics.ts';
import type { ModeChangeCode } from './catalogue/modeChanges.ts';

/** What diagnostics report: kebab words. */
export type DiagnosticCode = keyof typeof diagnosticCatalogue;

/** Stable ids of findings: `K8N203`. */
export type FindingCode = `K8N${number}`;

/** Why a packet does not arrive, or a Service does not work. A cause that a diagnostic names too has its code. */
export type CauseCode = keyof typeof causes | 'no-endpoints';

/** Everything that `explain` knows by a code. */
export type ProblemCode = DiagnosticCode | FindingCode | CauseCode | ModeChangeCode | keyof typeof checkResults;
