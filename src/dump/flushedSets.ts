import { parseTransaction } from '../netfilter/nft/read/parseTransaction.ts';
import { splitKinds } from './splitKinds.ts';

/**
 * The sets and maps that a text for `nft -f` empties before it fills them, in order. Undefined: it is the first text of
 * a process, which adds the table, or is not for `nft -f`.
 */
export function flushedSets(text: string): readonly string[] | undefined {
  const parts = splitKinds(text).filter(({ kind }) => kind === 'nftTransaction');
  const commands = parts.flatMap((part) => parseTransaction(part.text).commands);
  if (!commands.some((command) => command.object === 'table' && command.verb === 'add')) return undefined;
  return commands.flatMap((command) => (command.object === 'set' && command.verb === 'flush' ? [command.name] : []));
}
