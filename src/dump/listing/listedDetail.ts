/** A detail that `iptables -L` prints after the columns of a row, and the options that it stands for. */
export interface ListedDetail {
  /** Matches at the start of the rest of the row. */
  readonly pattern: RegExp;
  /** Options of the rule; undefined: it belongs to another target or match. */
  readonly write: (match: RegExpExecArray, target: string) => string | undefined;
}
