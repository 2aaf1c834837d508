import type { Selector } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import { chains } from './chainNames.ts';
import { type ProxyTable, verdict } from './table.ts';

const mark: Selector = { kind: 'meta', key: 'mark' };

/** A packet is marked where its source must be hidden, and masqueraded on its way out; the mark goes with that. */
export function* emitMasquerading(table: ProxyTable, bit: number): Generator<NftCommand> {
  const value = `0x${bit.toString(16).padStart(8, '0')}`;
  yield table.addRule(chains.markForMasquerade, [{ kind: 'assign', target: mark, operation: '|', value }]);
  yield table.addRule(chains.masquerading, [
    { kind: 'match', left: mark, mask: value, operator: '==', right: { kind: 'value', key: ['0'] } },
    verdict({ kind: 'return' }),
  ]);
  yield table.addRule(chains.masquerading, [{ kind: 'assign', target: mark, operation: '^', value }]);
  yield table.addRule(chains.masquerading, [{ kind: 'nat', action: 'masquerade', flags: ['fully-random'] }]);
}
