import type { Report } from '../diagnostics/diagnostic.ts';

/** Passes diagnostics on and remembers whether one was an error. */
export function checking(report: Report): { readonly report: Report; readonly hasErrors: () => boolean } {
  let hasErrors = false;
  return {
    report: (diagnostic) => {
      if (diagnostic.severity === 'error') hasErrors = true;
      report(diagnostic);
    },
    hasErrors: () => hasErrors,
  };
}
