import type { DumpKind } from './dumpKind.ts';

/** One file of a dump, read. */
export interface DumpFile {
  /** As findings name it. */
  readonly name: string;
  readonly text: string;
  /** What it holds, where that was said; else it is told from the text. */
  readonly kind?: DumpKind;
}
