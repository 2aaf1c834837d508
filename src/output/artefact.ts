import type { Family } from '../common/addresses/family.ts';

/** One file that a compile run can write. The text is made when it is asked for, in pieces, and never kept whole. */
export interface Artefact {
  /** File name below `--out-dir`: `iptables.v4.save`. */
  readonly name: string;
  /** Undefined: it concerns both families. */
  readonly family: Family | undefined;
  /** `list`: for standard output alone. */
  readonly form: 'save' | 'restore' | 'script' | 'state' | 'list';
  readonly text: () => Iterable<string>;
}
