/** The size from which an excerpt pays, and what stays in it. */
export interface ExcerptLimits {
  /** Minimum size of each text in bytes. */
  readonly leastBytes: number;
  /** At least this many chains are left out. */
  readonly leastChains: number;
  /** How many bytes, and lines that are not empty, stay at the start of each text: readers recognize a text by them. */
  readonly headBytes: number;
  readonly headLines: number;
}

/**
 * Readers look at the first 40 lines. In texts of at least this size they do not parse every line to report unreadable
 * ones, and they do not search tables with this many chains.
 */
export const longDumps: ExcerptLimits = {
  leastBytes: 8 << 20,
  leastChains: 20_000,
  headBytes: 1 << 16,
  headLines: 100,
};
