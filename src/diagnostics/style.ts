import type { Severity } from '../problems/severity.ts';

/** How the parts of a printed diagnostic are colored; the functions get text that is already safe to print. */
export interface DiagnosticStyle {
  readonly place: (text: string) => string;
  readonly severity: (text: string, severity: Severity) => string;
  readonly code: (text: string) => string;
  /** Line numbers and their bar. */
  readonly margin: (text: string) => string;
  readonly caret: (text: string, severity: Severity) => string;
  readonly path: (text: string) => string;
  readonly hint: (text: string) => string;
}

const same = (text: string): string => text;

/** No colors. */
export const plainDiagnosticStyle: DiagnosticStyle = {
  place: same,
  severity: same,
  code: same,
  margin: same,
  caret: same,
  path: same,
  hint: same,
};
