import { inPieces } from '../../common/inPieces.ts';
import { commandsOf } from './applyCommands.ts';
import type { IpsetState } from './ast.ts';
import { printCommand } from './command.ts';

/** A state as `ipset save` prints it, in pieces of some thousand lines. */
export function* printIpset(state: IpsetState): Iterable<string> {
  yield* inPieces(printed(state));
}

function* printed(state: IpsetState): Iterable<string> {
  for (const command of commandsOf(state)) yield printCommand(command);
}
