import type { Namespace } from './openNamespace.ts';
import type { Ran } from './outputOf.ts';

/** Runs a command in a namespace, without a shell; fails with what it said unless it ends with status 0. */
export async function runIn(namespace: Namespace, command: readonly string[], input = ''): Promise<string> {
  const { status, stdout, stderr } = await tryIn(namespace, command, input);
  if (status !== 0) throw new Error(`${command.join(' ')} in ${namespace.name}: status ${status}\n${stderr}`);
  return stdout;
}

/**
 * Runs a command in a namespace and tells how it ended. The agent starts it: to start a process takes Node, which is large,
 * ten times as long.
 */
export function tryIn(namespace: Namespace, command: readonly string[], input = ''): Promise<Ran> {
  return namespace.run(command, input);
}
