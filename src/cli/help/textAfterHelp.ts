import type { EventEmitter } from 'node:events';
import type { Command } from 'commander';

/** The argument of `afterHelp` listeners, from commander or from here. */
export interface AfterHelpContext {
  readonly write: (text: string) => void;
  /** Undefined: that of standard output. */
  readonly width?: number;
}

/**
 * The text given to `addHelpText('after', …)`: commander keeps it as a listener that writes it. Paragraphs are one
 * line.
 */
export function textAfterHelp(command: Command): string {
  const pieces: string[] = [];
  const context: AfterHelpContext = { write: (text) => pieces.push(text), width: Number.POSITIVE_INFINITY };
  emitterOf(command).emit('afterHelp', context);
  return pieces.join('').trim();
}

/** A command is one of Node's emitters, which its types do not say. */
export function emitterOf(command: Command): EventEmitter {
  return command as unknown as EventEmitter;
}
