/** What a target beside rules makes of a cluster. */
export interface Emitted {
  /** What `-o` asked for, for standard output. */
  readonly printed: Iterable<string>;
  /** Everything the target can write, for `--out-dir`. */
  readonly files: readonly EmittedFile[];
  /** It was made, but something was found that the exit code tells: an overlap, a name that is not found. */
  readonly hasFindings: boolean;
}

export interface EmittedFile {
  readonly name: string;
  /** A script can be run; a secret is for its owner's eyes only. */
  readonly form: 'state' | 'script' | 'secret';
  readonly text: () => Iterable<string>;
}
