import { type Ended, type RunOptions, runCli } from './runCli.ts';

/** The command line as it is built for all tests. */
export function bundledCli(): (args: readonly string[], options?: RunOptions) => Ended {
  return runCli;
}
