import { spawnSync } from 'node:child_process';
import { builtFile, nodeCommand } from './builtFile.ts';
import { root } from './compileCase.ts';

/** How a run of the command line ended. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly input?: string;
  /** Where it runs; the project's folder if nothing is said. */
  readonly cwd?: string;
  /** Beside the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The command line as a process: words before its arguments. */
export const cliCommand: readonly string[] = [...nodeCommand, builtFile('src/cli/main.ts')];

/** Runs the command line as a process of its own. Colours are asked for by `environment` alone. */
export function runCli(args: readonly string[], { input = '', cwd = root, environment }: RunOptions = {}): Ended {
  const { FORCE_COLOR: _, NO_COLOR: __, GITHUB_ACTIONS: ___, ...inherited } = process.env;
  const [node = '', ...words] = cliCommand;
  const { status, stdout, stderr } = spawnSync(node, [...words, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...inherited, ...environment },
    input,
  });
  return { status, stdout, stderr };
}
