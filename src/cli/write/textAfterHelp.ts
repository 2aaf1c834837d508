import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';

/** What `addHelpText('after', …)` was given: commander keeps it as a listener that writes it. */
export function textAfterHelp(command: Command): string {
  const pieces: string[] = [];
  const write = (text: string) => pieces.push(text);
  emitterOf(command).emit('afterHelp', { error: false, command, write });
  return pieces.join('').trim();
}

/** A command is an emitter of Node's, which its types do not say. */
function emitterOf(command: Command): EventEmitter {
  return command as unknown as EventEmitter;
}
