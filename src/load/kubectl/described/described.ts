/** The objects that one description shows, as far as it does. */
export interface Described {
  readonly values: readonly DescribedObject[];
  /** What was cut off, or cannot be known from it. */
  readonly cuts: readonly string[];
  /** What descriptions of the kind leave out, as a part of a sentence; undefined: nothing that rules are made from. */
  readonly hides?: string;
}

export interface DescribedObject {
  readonly value: unknown;
  /** It shows all that the description of another kind shows of such an object, and more. */
  readonly isWhole: boolean;
}
