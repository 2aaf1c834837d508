/** A line of a dump that could not be read, its text cut to a length that a report can show. */
export interface UnreadLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly message: string;
}
