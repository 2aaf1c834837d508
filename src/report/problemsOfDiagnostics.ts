import { shortMessage } from '../common/text/shortMessage.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Locate } from '../diagnostics/place.ts';
import type { ReportedProblem } from './reportedProblem.ts';

/** Diagnostics as problems with places. `isFailure` says which make the check fail. */
export function problemsOfDiagnostics(
  diagnostics: readonly Diagnostic[],
  locate: Locate,
  isFailure: (diagnostic: Diagnostic) => boolean,
): readonly ReportedProblem[] {
  return diagnostics.map((diagnostic): ReportedProblem => {
    const { code, severity, message, at, hint } = diagnostic;
    const places = at.map((origin) => ({ file: origin.file, place: locate(origin) }));
    const object = places[0]?.place?.object;
    return {
      rule: code,
      severity,
      message: shortMessage(message),
      places: places.map(({ file, place }) => {
        if (place === undefined) return { file };
        const { line, column, endColumn } = place;
        return { file, line, column, ...(endColumn === undefined ? {} : { endColumn }) };
      }),
      ...(object === undefined ? {} : { object }),
      ...(hint === undefined ? {} : { hint: shortMessage(hint) }),
      isFailure: isFailure(diagnostic),
    };
  });
}
