import { inPieces } from '../../common/inPieces.ts';
import { commandsOf } from './applyCommands.ts';
import type { IpvsState } from './ast.ts';
import { printCommand } from './command.ts';

/** A state as `ipvsadm -Sn` prints it and `ipvsadm -R` reads it, in pieces of some thousand lines. */
export function* printIpvs(state: IpvsState): Iterable<string> {
  yield* inPieces(printed(state));
}

function* printed(state: IpvsState): Iterable<string> {
  for (const command of commandsOf(state)) yield printCommand(command);
}
