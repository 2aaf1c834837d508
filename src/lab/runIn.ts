import { spawn } from 'node:child_process';
import { labEnvironment } from './labEnvironment.ts';
import type { Namespace } from './openNamespace.ts';
import type { Ran } from './outputOf.ts';
import { outputOf } from './outputOf.ts';

/** Runs a command in a namespace, without a shell; fails with what it said unless it ends with status 0. */
export async function runIn(namespace: Namespace, command: readonly string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await tryIn(namespace, command, input);
  if (status !== 0) throw new Error(`${command.join(' ')} in ${namespace.name}: status ${status}\n${stderr}`);
  return stdout;
}

/** Runs a command in a namespace and tells how it ended. */
export function tryIn(namespace: Namespace, command: readonly string[], input = ''): Promise<Ran> {
  const child = spawn('nsenter', [`--net=/proc/${namespace.pid}/ns/net`, '--', ...command], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: labEnvironment(),
  });
  return outputOf(child, input);
}
