import { commandsOf } from './applyCommands.ts';
import type { IpvsState } from './ast.ts';
import { printCommand } from './command.ts';

/** A state as `ipvsadm -Sn` prints it and `ipvsadm -R` reads it, in pieces of some thousand lines. */
export function* printIpvs(state: IpvsState): Iterable<string> {
  let lines: string[] = [];
  for (const command of commandsOf(state)) {
    lines.push(`${printCommand(command)}\n`);
    if (lines.length < linesPerPiece) continue;
    yield lines.join('');
    lines = [];
  }
  if (lines.length > 0) yield lines.join('');
}

const linesPerPiece = 20_000;
