import type { Command } from 'commander';

/** Whether arguments and options together name standard input (`-`) twice: the second to read it would find nothing. */
export function namesInputTwice(command: Command): boolean {
  const given = command.options
    .filter(({ flags }) => /<(?:file|path|dump)\b/.test(flags))
    .flatMap((option) => command.getOptionValue(option.attributeName()) as string | readonly string[] | undefined);
  return [...command.args, ...given].filter((word) => word === '-').length > 1;
}
