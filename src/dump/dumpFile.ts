import type { DumpKind } from './dumpKind.ts';

/** One file of a dump, read. */
export interface DumpFile {
  /** Its name in findings. */
  readonly name: string;
  readonly text: string;
  /** What it holds, if somebody said so; otherwise the text shows it. */
  readonly kind?: DumpKind;
  /** It stands for a long iptables-save text whose nat table has further chains that nobody asks for. */
  readonly isExcerpt?: true;
}
