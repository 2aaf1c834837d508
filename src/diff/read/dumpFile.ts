/** One file of a dump, read. */
export interface DumpFile {
  /** As findings name it. */
  readonly name: string;
  readonly text: string;
}
