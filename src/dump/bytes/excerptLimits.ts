/** From which size on it is worth it, and what stays. */
export interface ExcerptLimits {
  /** Bytes that each text has at least. */
  readonly leastBytes: number;
  /** More chains than this are left out. */
  readonly leastChains: number;
  /** Bytes, and lines that are not empty, at the start of each text that stay: readers tell from them what a text is. */
  readonly headBytes: number;
  readonly headLines: number;
}

/** Readers look at the first 40 lines. Texts of at least this size are not parsed to name lines that no tool can read, and tables of so many chains not looked through. */
export const longDumps: ExcerptLimits = {
  leastBytes: 8 << 20,
  leastChains: 20_000,
  headBytes: 1 << 16,
  headLines: 100,
};
