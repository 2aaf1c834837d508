import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
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

/** Runs the sources as a process of its own. Colours are asked for by `environment` alone. */
export function runCli(args: readonly string[], { input, cwd = root, environment }: RunOptions = {}): Ended {
  const { FORCE_COLOR: _, NO_COLOR: __, GITHUB_ACTIONS: ___, ...inherited } = process.env;
  const command = ['--import', import.meta.resolve('tsx'), join(root, 'src/cli/main.ts'), ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd,
    encoding: 'utf8',
    env: { ...inherited, ...environment },
    ...(input !== undefined && { input }),
  });
  return { status, stdout, stderr };
}
