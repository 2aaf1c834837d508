import type { Diagnostic } from './diagnostic.ts';

/** Diagnostics that are few enough to print, in their order, and how many were left out of each severity. */
export interface CappedDiagnostics {
  readonly shown: readonly Diagnostic[];
  readonly omitted: { readonly error: number; readonly warning: number; readonly note: number };
}

/** Keeps at most `limit` diagnostics: errors first, so that no number of notes hides what stops the run. */
export function capDiagnostics(diagnostics: readonly Diagnostic[], limit: number): CappedDiagnostics {
  const omitted = { error: 0, warning: 0, note: 0 };
  if (diagnostics.length <= limit) return { shown: diagnostics, omitted };
  const kept = new Set<Diagnostic>();
  for (const severity of ['error', 'warning', 'note'] as const) {
    for (const diagnostic of diagnostics) {
      if (diagnostic.severity !== severity) continue;
      if (kept.size < limit) kept.add(diagnostic);
      else omitted[severity] += 1;
    }
  }
  return { shown: diagnostics.filter((diagnostic) => kept.has(diagnostic)), omitted };
}
