import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Locate } from '../diagnostics/place.ts';
import type { Problem } from './problem.ts';

/** Diagnostics as problems with places. `isFailure` says which make the check fail. */
export function problemsOfDiagnostics(
  diagnostics: readonly Diagnostic[],
  locate: Locate,
  isFailure: (diagnostic: Diagnostic) => boolean,
): readonly Problem[] {
  return diagnostics.map((diagnostic): Problem => {
    const { code, severity, message, at, hint } = diagnostic;
    const places = at.map((origin) => ({ file: origin.file, place: locate(origin) }));
    const object = places[0]?.place?.object;
    return {
      rule: code,
      severity,
      message: cut(message),
      places: places.map(({ file, place }) => {
        if (place === undefined) return { file };
        const { line, column, endColumn } = place;
        return { file, line, column, ...(endColumn === undefined ? {} : { endColumn }) };
      }),
      ...(object === undefined ? {} : { object }),
      ...(hint === undefined ? {} : { hint: cut(hint) }),
      isFailure: isFailure(diagnostic),
    };
  });
}

/** A message may quote a value that is megabytes long. */
function cut(text: string): string {
  return text.length <= longestMessage ? text : `${text.slice(0, longestMessage)}…`;
}

const longestMessage = 500;
