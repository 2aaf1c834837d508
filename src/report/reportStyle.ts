import type { FindingSeverity } from '../findings/finding.ts';

/** How the parts of a printed report are colored; the functions get text that is already safe to print. */
export interface ReportStyle {
  readonly summary: (text: string, isSame: boolean) => string;
  /** A Service, or the node. */
  readonly subject: (text: string) => string;
  readonly severity: (text: string, severity: FindingSeverity) => string;
  readonly id: (text: string) => string;
  readonly place: (text: string) => string;
  /** The arrows and labels in front of why, fix and places. */
  readonly label: (text: string) => string;
  /** A whole missing rule, or words of one. */
  readonly removed: (text: string) => string;
  readonly added: (text: string) => string;
  /** Words inside a rule that changed: without colors they need marks around them. */
  readonly removedWords: (text: string) => string;
  readonly addedWords: (text: string) => string;
  readonly dim: (text: string) => string;
}

const same = (text: string): string => text;

/** No colors; changed words as in `git diff --word-diff`. */
export const plainReportStyle: ReportStyle = {
  summary: same,
  subject: same,
  severity: same,
  id: same,
  place: same,
  label: same,
  removed: same,
  added: same,
  removedWords: (text) => `[-${text}-]`,
  addedWords: (text) => `{+${text}+}`,
  dim: same,
};
