import type { Step } from '../../meaning.ts';
import type { NftSpelling, Statement } from '../ast.ts';
import type { Tokens } from './tokenizer.ts';

/** How one kind of statement is read and written: reader and writer of each text stand side by side. */
export interface StatementSyntax<S extends Statement> {
  /** First words of the text form; undefined: anything else, tried last. */
  readonly starts: readonly string[] | undefined;
  /** Undefined if it is not this kind after all; the caller puts the words back. */
  readonly read: (words: Tokens) => S | undefined;
  readonly write: (statement: S, spelling: NftSpelling) => string;
  /** Names of the member that holds it in JSON. */
  readonly jsonNames: readonly string[];
  readonly fromJson: (body: unknown, name: string) => S | undefined;
  /** What it asks of a packet, or does with it, in a table of this family. */
  readonly evaluate: (statement: S, family: string) => readonly Step[];
}
