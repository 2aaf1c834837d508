import { diagnosticCatalogue } from '../problems/catalogue/diagnostics.ts';
import type { Diagnostic, JsonPath, Origin } from './diagnostic.ts';
import { originIn } from './originIn.ts';
import { printPath } from './printPath.ts';

/**
 * A diagnostic while it is rest of one object, whose place in a file its judge does not know. A message that starts with
 * `is`, `must` or `has` is rest of the field at `path`, whose name comes in front.
 */
export interface ObjectDiagnostic
  extends Pick<Diagnostic, 'code' | 'message' | 'hint'>,
    Partial<Pick<Diagnostic, 'severity'>>,
    Pick<Origin, 'part'> {
  /** From the object's own root; a field that is missing stands for its nearest parent. */
  readonly path: JsonPath;
  /** Further places, each printed as "also here". */
  readonly also?: readonly Origin[];
  /** Newer API servers take it (names of Services that begin with a digit, 1.34): who reads clusters is not strict. */
  readonly isTakenLater?: boolean;
}

/** The diagnostic with the object's place: its severity is that of its code if it has none of its own. */
export function objectDiagnostic(
  origin: Origin,
  { path, part, also = [], isTakenLater: _, ...rest }: ObjectDiagnostic,
): Diagnostic {
  const place = originIn(origin, path);
  return {
    ...rest,
    severity: rest.severity ?? diagnosticCatalogue[rest.code].severity,
    message: aboutField.test(rest.message) ? `${printPath(path)} ${rest.message}` : rest.message,
    at: [part === undefined ? place : { ...place, part }, ...also],
  };
}

const aboutField = /^(?:is|must|has) /;
