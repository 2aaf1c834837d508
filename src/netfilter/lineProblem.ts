/** A line of a tool's text, or a part of one, that cannot be read. Lines and columns count from 1. */
export interface LineProblem {
  readonly line: number;
  /** Where in the line; undefined: all of it. */
  readonly column?: number;
  readonly word?: string;
  readonly message: string;
}

export type ReportLine = (problem: LineProblem) => void;
