import type { DiagnosticEntry } from '../problemEntry.ts';

/** How a case of `k8snet check` can fail. */
export const checkResults = {
  'golden-differs': {
    severity: 'error',
    what: 'The manifests compile to something else than the golden file holds.',
    fix: 'Look at the difference; `k8snet check --update` accepts it.',
  },
  'golden-missing': {
    severity: 'error',
    what: 'A case has no golden file yet.',
    fix: 'Write it: `k8snet check --update`.',
  },
  'case-failed': {
    severity: 'error',
    what: 'The manifests or options of a case have errors, or its golden file could not be written.',
    fix: 'Correct what is reported beside it.',
  },
} as const satisfies Readonly<Record<string, DiagnosticEntry>>;
