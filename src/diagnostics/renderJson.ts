import { jsonString } from '../common/text/jsonString.ts';
import { capDiagnostics } from './capDiagnostics.ts';
import type { Diagnostic, Origin } from './diagnostic.ts';
import type { Locate } from './place.ts';

/**
 * Diagnostics for programs: `{ version, diagnostics: [{ code, severity, message, path?, hint?, at: [{ file, document,
 * path, line?, column?, endColumn?, object? }] }], omitted }`. `document` counts from 0, `line` and `column` from 1;
 * `path` is text as people write it, in `at` an array of steps. Characters that a terminal acts on are `\u` escapes.
 */
export function renderJson(diagnostics: readonly Diagnostic[], locate: Locate, limit = 1000): string {
  const { shown, omitted } = capDiagnostics(diagnostics, limit);
  const value = { version: 1, diagnostics: shown.map((diagnostic) => plain(diagnostic, locate)), omitted };
  return jsonString(value);
}

function plain({ code, severity, message, path, hint, at }: Diagnostic, locate: Locate): Record<string, unknown> {
  const place = at[0] === undefined ? undefined : locate(at[0]);
  const ownPath = path ?? place?.pathText ?? '';
  return {
    code,
    severity,
    message,
    ...(ownPath === '' ? {} : { path: ownPath }),
    ...(hint === undefined ? {} : { hint }),
    at: at.map((origin) => plainOrigin(origin, locate)),
  };
}

function plainOrigin(origin: Origin, locate: Locate): Record<string, unknown> {
  const { file, document, path } = origin;
  const place = locate(origin);
  if (place === undefined) return { file, document, path };
  const { line, column, endColumn, object } = place;
  return {
    file,
    document,
    path,
    line,
    column,
    ...(endColumn === undefined ? {} : { endColumn }),
    ...(object === undefined ? {} : { object }),
  };
}
