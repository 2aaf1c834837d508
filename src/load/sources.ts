/** The texts that were read, by the name that diagnostics print; used to find lines and excerpts when needed. */
export interface Sources {
  /** The whole text of a file (decoded, BOM dropped); read again from disk where it was not kept. */
  readonly textOf: (file: string) => string | undefined;
  /** How a file was read: places are found by the same rules. */
  readonly formatOf: (file: string) => SourceFormat;
  /** The text of one item of a file that is a long List; undefined: it is found in the whole text alone. */
  readonly itemOf?: (file: string, item: number) => SourceItem | undefined;
}

/** An item of a List with the lines that it stands in, and how many lines stand before these. */
export interface SourceItem {
  readonly text: string;
  readonly linesBefore: number;
}

/** `table`: what kubectl prints for people; `none`: the text has no structure that could be read. */
export type SourceFormat = 'json' | 'yaml' | 'table' | 'none';
