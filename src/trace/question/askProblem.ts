export interface AskProblem {
  readonly kind: 'problem';
  readonly message: string;
  /** Nothing of this name is known. */
  readonly isUnknown?: true;
}
