import type { Diagnostic } from '../../diagnostics/diagnostic.ts';

/** Only the rules of one Service are annotated. */
export const annotateNeedsService: Diagnostic = {
  code: 'bad-option',
  severity: 'error',
  message: '--annotate needs --service',
  at: [],
  hint: 'add --service namespace/name',
};
