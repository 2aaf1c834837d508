import type { NftCommand } from '../command.ts';
import { writeCommand } from './writeCommand.ts';
import { writeTable } from './writeTable.ts';

const shortestPiece = 8 << 10;

/** The text for `nft -f`, in pieces: some commands, or a part of a table. */
export function* writeTransaction(commands: Iterable<NftCommand>): Generator<string> {
  let open = '';
  for (const command of commands) {
    if (command.object !== 'block') open += writeCommand(command);
    if (open !== '' && (command.object === 'block' || open.length >= shortestPiece)) {
      yield open;
      open = '';
    }
    if (command.object === 'block') yield* writeTable(command.content);
  }
  if (open !== '') yield open;
}
