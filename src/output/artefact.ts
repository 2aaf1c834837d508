import type { Family } from '../common/family.ts';

/** One file that a compile run can write. The text is made when it is asked for, in pieces, and never kept whole. */
export interface Artefact {
  /** File name below `--out-dir`: `iptables.v4.save`. */
  readonly name: string;
  /** Undefined: it concerns both families. */
  readonly family: Family | undefined;
  readonly form: 'save' | 'restore' | 'script' | 'state';
  readonly text: () => Iterable<string>;
}
