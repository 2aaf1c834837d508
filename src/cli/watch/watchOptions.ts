import { type Command, Option } from 'commander';
import { milliseconds } from '../options/liveOptions.ts';

/** For commands that can watch a cluster continuously. */
export interface WatchFlags {
  readonly watch?: boolean;
  readonly interval?: number;
}

export function addWatchOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--watch', 'go on looking, and print what changes, one line each, until Ctrl-C')
        .default(false)
        .helpGroup(group),
    )
    .addOption(
      new Option('--interval <time>', '--watch: read the nodes this often; objects are followed')
        .default(10_000, '10s')
        .argParser(milliseconds)
        .helpGroup(group),
    );
}

const group = 'Reading a cluster:';
