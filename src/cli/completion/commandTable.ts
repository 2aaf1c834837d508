/**
 * The command line as data: what completion, man pages and everything else that lists commands read. It is made from the
 * commands themselves (`tableOfCommands.ts`); the build writes it beside the bundle, so that a key pressed in a shell
 * loads no command.
 */
export interface CommandTable {
  readonly program: CommandEntry;
  /** Values that do not depend on any input. */
  readonly values: FixedValues;
}

export interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** What stands behind the name: `[options] <dump...>`. */
  readonly usage: string;
  readonly options: readonly OptionEntry[];
  readonly arguments: readonly ArgumentEntry[];
  readonly commands: readonly CommandEntry[];
  /** What the help page says behind its lists: examples, exit codes. */
  readonly after: string;
}

export interface OptionEntry {
  /** As the help page shows it: `-o, --output <form>`. */
  readonly term: string;
  readonly short?: string;
  readonly long?: string;
  /** As the help page describes it, with choices and default. */
  readonly help: string;
  readonly description: string;
  /** Names of its values, one after the other; the last one again where the option takes several. */
  readonly values: readonly string[];
  readonly isVariadic: boolean;
  readonly choices?: readonly string[];
}

export interface ArgumentEntry {
  readonly name: string;
  readonly help: string;
  readonly isVariadic: boolean;
  readonly choices?: readonly string[];
}

/** A value and what it is, in a few words. */
export type Noted = readonly [value: string, note: string];

export interface FixedValues {
  readonly versions: readonly Noted[];
  readonly findings: readonly Noted[];
  readonly diagnostics: readonly Noted[];
  /** What else has a code: causes, differences of modes, results of `check`. */
  readonly causes: readonly Noted[];
  readonly topics: readonly Noted[];
}
