import { inPieces } from '../../common/inPieces.ts';
import type { IpsetOption, IpsetState } from './ast.ts';
import { printCommand } from './command.ts';
import { bare, printIpsetOptions } from './options.ts';

/** A state as `ipset save` prints it, in pieces of some thousand lines. */
export function* printIpset(state: IpsetState): Iterable<string> {
  yield* inPieces(printed(state));
}

function* printed(state: IpsetState): Iterable<string> {
  let last: readonly IpsetOption[] = [];
  let ending = '';
  for (const { name, type, options, members } of state.sets) {
    yield printCommand({ kind: 'create', set: name, type, options });
    const start = `add ${bare(name)} `;
    for (const { member, options: own } of members) {
      // Members mostly share their options.
      if (own !== last) ending = printIpsetOptions(own);
      last = own;
      yield `${start}${bare(member)}${ending}`;
    }
  }
}
