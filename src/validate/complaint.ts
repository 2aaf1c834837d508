import { catalogue, type DiagnosticCode } from '../diagnostics/catalogue.ts';
import type { Diagnostic, JsonPath, Origin } from '../diagnostics/diagnostic.ts';
import { printPath } from '../diagnostics/printPath.ts';
import type { Severity } from '../diagnostics/severity.ts';

/** What is wrong with one object, at a path inside it. */
export interface Complaint {
  readonly code: DiagnosticCode;
  /** From the object's own root; a field that is missing stands for its nearest parent. */
  readonly path: JsonPath;
  /** Starting with `is`, `must` or `has`, it is said of the field at `path`, whose name comes in front. */
  readonly message: string;
  /** Points at the field's name instead of its value. */
  readonly isAboutKey?: boolean;
  /** Further places, each printed as "also here". */
  readonly also?: readonly Origin[];
  readonly hint?: string;
  /** Default: that of the code. */
  readonly severity?: Severity;
}

/** Takes complaints about objects; one that is an error keeps its object out of the result. */
export type Complain = (subject: { readonly origin: Origin }, complaint: Complaint) => void;

/** The diagnostic of a complaint about the object at `origin`. */
export function toDiagnostic(origin: Origin, complaint: Complaint): Diagnostic {
  const place = originIn(origin, complaint.path);
  return {
    code: complaint.code,
    severity: complaint.severity ?? catalogue[complaint.code].severity,
    message: aboutField.test(complaint.message)
      ? `${printPath(complaint.path)} ${complaint.message}`
      : complaint.message,
    at: [complaint.isAboutKey ? { ...place, part: 'key' } : place, ...(complaint.also ?? [])],
    ...(complaint.hint === undefined ? {} : { hint: complaint.hint }),
  };
}

const aboutField = /^(?:is|must|has) /;

/** The place of `path` in the object at `origin`. */
export function originIn(origin: Origin, path: JsonPath): Origin {
  return { ...origin, path: [...origin.path, ...path] };
}
