import { exitCodes } from '../write/exitCodes.ts';
import type { Messages } from '../write/messages.ts';

/** Reports an impossible combination of options; returns the exit code. */
export function refuseOption(messages: Messages, command: string, message: string): number {
  const hint = `run 'k8snet ${command} --help' for usage`;
  messages.report({ code: 'bad-option', severity: 'error', message, at: [], hint });
  return exitCodes.badInput;
}

/** Ends a command that was misused: reports why, and prints it. */
export async function endMisused(messages: Messages, command: string, message: string): Promise<number> {
  const code = refuseOption(messages, command, message);
  await messages.flush();
  return code;
}
