/** Something that `iptables -L` prints behind the columns of a row, and how a rule says it. */
export interface ListedDetail {
  /** At the start of what is left of the row. */
  readonly pattern: RegExp;
  /** Options of the rule; undefined: of another target or match. */
  readonly write: (match: RegExpExecArray, target: string) => string | undefined;
}
