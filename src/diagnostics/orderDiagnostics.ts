import { compareBytes } from '../common/compareBytes.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { Locate } from './place.ts';

/**
 * Diagnostics in the order in which somebody works through them: by file, line and column. Those about a whole file come
 * before its lines, those about the command line after all files. What stands at one place keeps its order.
 */
export function orderDiagnostics(diagnostics: readonly Diagnostic[], locate: Locate): readonly Diagnostic[] {
  return diagnostics
    .map((diagnostic) => {
      const [origin] = diagnostic.at;
      const place = origin === undefined ? undefined : locate(origin);
      return { diagnostic, file: origin?.file, line: place?.line ?? 0, column: place?.column ?? 0 };
    })
    .sort((a, b) => compareFiles(a.file, b.file) || a.line - b.line || a.column - b.column)
    .map(({ diagnostic }) => diagnostic);
}

function compareFiles(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0);
  return compareBytes(a, b);
}
