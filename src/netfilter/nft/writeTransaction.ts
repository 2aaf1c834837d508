import type { NftCommand } from './command.ts';
import { writeCommand } from './writeCommand.ts';
import { writeTable } from './writeTable.ts';

/** The text for `nft -f`, in pieces: a command, or a part of a table. */
export function* writeTransaction(commands: Iterable<NftCommand>): Generator<string> {
  for (const command of commands) {
    if (command.object === 'block') yield* writeTable(command.content);
    else yield writeCommand(command);
  }
}
