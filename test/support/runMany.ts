import { root } from './compileCase.ts';
import { type Ended, runCli } from './runCli.ts';

/** Runs command lines one after the other in one folder; none reads standard input. */
export function runMany(commands: readonly (readonly string[])[], cwd: string = root): readonly Ended[] {
  return commands.map((command) => runCli(command, { cwd }));
}
