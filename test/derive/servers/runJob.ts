import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { labEnvironment } from '../../../src/lab/labEnvironment.ts';
import { outputOf } from '../../../src/lab/outputOf.ts';
import { builtFile, nodeCommand } from '../../support/builtFile.ts';
import type { Job, Outcome } from './probes.ts';

/** Runs a job in a network namespace that ends with it. */
export async function runJob(job: Job): Promise<readonly Outcome[]> {
  const worker = [...nodeCommand, builtFile('test/derive/servers/worker.ts')];
  const child = spawn('unshare', ['--net', '--', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...worker], {
    cwd: join(import.meta.dirname, '../../..'),
    env: labEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const { status, stdout, stderr } = await outputOf(child, JSON.stringify(job));
  if (status !== 0) throw new Error(`the worker ended with status ${status}: ${stderr}`);
  return JSON.parse(stdout) as readonly Outcome[];
}

/** Runs a program to its end and fails with what it said. */
export function runTool(command: readonly string[]): string {
  const [name = '', ...words] = command;
  const { status, stdout, stderr } = spawnSync(name, words, { encoding: 'utf8', env: labEnvironment() });
  if (status !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}
