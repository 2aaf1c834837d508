import type { DumpKind } from './dumpKind.ts';

/** One file of a dump, read. */
export interface DumpFile {
  /** As findings name it. */
  readonly name: string;
  readonly text: string;
  /** What it holds, where that was said; else it is told from the text. */
  readonly kind?: DumpKind;
  /** It stands for a long text of iptables-save that has further chains in its table nat, which nobody asks for. */
  readonly isExcerpt?: true;
}
