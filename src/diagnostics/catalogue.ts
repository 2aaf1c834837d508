import type { Severity } from './diagnostic.ts';

/** What a code means, for `docs/diagnostics.md`; the words of one occurrence come from where it is reported. */
export interface DiagnosticKind {
  readonly severity: Severity;
  /** One sentence: what is wrong. */
  readonly summary: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** Every code there is: a code that is not in this table does not compile. */
export const catalogue = {
  'bad-option': {
    severity: 'error',
    summary: 'A command-line option is unknown, incomplete or has a value that cannot be used.',
    remedy: 'See `k8snet help COMMAND`.',
  },
} as const satisfies Readonly<Record<string, DiagnosticKind>>;

export type DiagnosticCode = keyof typeof catalogue;
