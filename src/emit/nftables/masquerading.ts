import type { Selector, Statement } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { SharedNodePlan } from '../../plan/plan.ts';
import { chains, sets } from './chainNames.ts';
import { destinationPort, inSet, jump, l4proto, matches, type ProxyTable, verdict } from './table.ts';

const mark: Selector = { kind: 'meta', key: 'mark' };
const masquerade: Statement = { kind: 'nat', action: 'masquerade', flags: ['fully-random'] };

/** A packet is marked if its source must be hidden, and masqueraded on its way out, which removes the mark. */
export function* emitMasquerading(table: ProxyTable, node: SharedNodePlan): Generator<NftCommand> {
  const value = markText(node);
  const isMarked = (operator: '==' | '!='): Statement => ({
    kind: 'match',
    left: mark,
    mask: value,
    operator,
    right: { kind: 'value', key: ['0'] },
  });
  const unmark: Statement = { kind: 'assign', target: mark, operation: '^', value };
  if (table.dialect.masqueradeMark === 'chain') {
    yield* table.ensureChain(chains.markForMasquerade);
    yield table.addRule(chains.markForMasquerade, [setMark(node)]);
  }
  if (table.dialect.hairpin === 'endpointChain') {
    yield table.addRule(chains.masquerading, [isMarked('=='), verdict({ kind: 'return' })]);
    yield table.addRule(chains.masquerading, [unmark]);
    yield table.addRule(chains.masquerading, [masquerade]);
  } else {
    yield* emitHairpinSet(table);
    // A return would end the chain before the search for hairpin connections.
    yield table.addRule(chains.masquerading, [isMarked('!='), unmark, masquerade]);
    yield table.addRule(chains.masquerading, [isTranslated, isHairpin(table), masquerade]);
  }
}

/** The effect of a rule on a packet whose source must be hidden. */
export function markForMasquerade(table: ProxyTable, node: SharedNodePlan): Statement {
  return table.dialect.masqueradeMark === 'chain' ? jump(chains.markForMasquerade) : setMark(node);
}

function setMark(node: SharedNodePlan): Statement {
  return { kind: 'assign', target: mark, operation: '|', value: markText(node) };
}

function markText(node: SharedNodePlan): string {
  return `0x${node.mark.toString(16).padStart(8, '0')}`;
}

function* emitHairpinSet(table: ProxyTable): Generator<NftCommand> {
  yield table.addSet({
    kind: 'set',
    name: sets.hairpinConnections,
    type: [table.addressType, table.addressType, 'inet_proto', 'inet_service'],
    flags: [],
    comment: 'service hairpin connections',
    elements: [],
  });
}

const isTranslated: Statement = matches({ kind: 'ct', key: 'status' }, 'dnat');

function isHairpin(table: ProxyTable): Statement {
  const parts = [table.source, table.destination, l4proto, destinationPort];
  return inSet({ kind: 'concat', parts }, sets.hairpinConnections);
}
