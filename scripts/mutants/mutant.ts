/** One way to break a source, and whether a test sees it is the question. */
export interface Mutant {
  readonly kind: MutantKind;
  readonly file: string;
  readonly line: number;
  /** The function it is in. */
  readonly within: string;
  /** Written in place of the source between the two. */
  readonly insertions: readonly Insertion[];
}

/** Text before or after a part of the source; both enclose the part from `start` to `end`. */
export interface Insertion {
  readonly start: number;
  readonly end: number;
  readonly before: (asked: string) => string;
  readonly after: (asked: string) => string;
}

/** What each kind does, in the order in which they are tried. */
export const mutantKinds = {
  nothing: 'it finds nothing',
  part: 'a part of the check finds nothing',
  unsaid: 'one thing of several is not said',
  negated: 'a condition is turned round',
  severity: 'a finding has another severity',
  service: 'a finding names another Service',
  assertion: 'an assertion of a test, which should run',
} as const;

export type MutantKind = keyof typeof mutantKinds;
