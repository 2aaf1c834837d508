import type { NftCommand } from './command.ts';
import { writeCommand } from './writeCommand.ts';

/** The text for `nft -f`, a command a piece. */
export function* writeTransaction(commands: Iterable<NftCommand>): Generator<string> {
  for (const command of commands) {
    yield writeCommand(command);
  }
}
