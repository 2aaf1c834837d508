/** The line of a rule with holes for words: `texts` stand around the holes, one more than there are of these. */
export interface RuleTemplate<Hole extends string = string> {
  readonly texts: readonly string[];
  readonly holes: readonly Hole[];
}
