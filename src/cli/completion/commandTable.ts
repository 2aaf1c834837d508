/**
 * The command line as data, as far as completion needs it. It is made from the commands themselves
 * (`tableOfCommands.ts`); the build writes it next to the bundle, so a key in a shell loads no command.
 */
export interface CommandTable {
  readonly program: CommandEntry;
  /** Values that do not depend on any input. */
  readonly values: FixedValues;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly OptionEntry[];
  readonly arguments: readonly ArgumentEntry[];
  readonly commands: readonly CommandEntry[];
}

export interface OptionEntry {
  readonly short?: string;
  readonly long?: string;
  readonly description: string;
  /** Names of its values, one after another; the last one repeats if the option takes several. */
  readonly values: readonly string[];
  readonly isVariadic: boolean;
  readonly choices?: readonly string[];
}

export interface ArgumentEntry {
  readonly name: string;
  readonly isVariadic: boolean;
  readonly choices?: readonly string[];
}

/** A value and its meaning, in a few words. */
export type Noted = readonly [value: string, note: string];

export interface FixedValues {
  readonly versions: readonly Noted[];
  readonly findings: readonly Noted[];
  readonly diagnostics: readonly Noted[];
  /** Other things with a code: causes, differences of modes, results of `check`. */
  readonly causes: readonly Noted[];
  readonly topics: readonly Noted[];
}
