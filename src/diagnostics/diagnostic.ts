import type { DiagnosticCode } from '../problems/problemCode.ts';
import type { Severity } from '../problems/severity.ts';

/** A JSON path inside one document: `['spec', 'ports', 0, 'port']`. */
export type JsonPath = readonly (string | number)[];

/**
 * Where something was written. Only names and paths are kept; lines and columns are found when a diagnostic is
 * printed, so that a run without problems pays nothing for them.
 *
 * `path` is the whole path inside the document, list items included (`['items', 3, 'spec', …]`).
 * A path that does not exist stands for its nearest existing parent (a missing field is reported there).
 * `part: 'key'` points at the field's name instead of its value (unknown and duplicate fields).
 * `offset` (UTF-16 units from the start of the file) is given instead of a path where a file has no readable structure.
 */
export interface Origin {
  readonly file: string;
  /** 0-based number of the YAML document in its file; 0 for JSON. */
  readonly document: number;
  readonly path: JsonPath;
  readonly part?: 'key' | 'value';
  readonly offset?: number;
}

/** One problem or remark about the input. Collected through {@link Report}, never thrown. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  readonly message: string;
  /** The first place is the main one; further ones are printed as "also here". Empty: the command line. */
  readonly at: readonly Origin[];
  /** The path as users write it, when it differs from that of `at[0]` (a missing field's own path). */
  readonly path?: string;
  readonly hint?: string;
  /** `namespace/name` of the Services that it is about, where other code asks for them. */
  readonly services?: readonly string[];
  /** What other code has to know of it: nothing reads the words. Not printed. */
  readonly facts?: DiagnosticFacts;
}

/** By what diagnostics are told apart that have one code. */
export interface DiagnosticFacts {
  /** `assumed-pods`: a Pod by itself, and no workload, got addresses. */
  readonly isBarePod?: true;
  /** `no-endpoints`: --assume-pods would make some up. */
  readonly canAssumePods?: true;
}

/** Takes a diagnostic; every phase gets one and goes on with what is usable. */
export type Report = (diagnostic: Diagnostic) => void;
