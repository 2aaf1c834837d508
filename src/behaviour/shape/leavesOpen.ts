import type { Condition, Field } from '../../netfilter/meaning.ts';
import { plainConditions } from '../../netfilter/plainConditions.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { WalkRule } from '../../walk/input/walkInput.ts';

/**
 * A rule may ask what nothing shows: two nodes with the same rule may do different things. What it asks of a packet, its way
 * and its connection, of sets that are there, and of chance has an answer.
 */
export function leavesOpen({ steps, chain: { table } }: WalkRule, { input }: WalkContext): boolean {
  const isUnseen = (set: unknown) => typeof set === 'string' && !table.sets.has(set);
  const isOpen = (condition: Condition): boolean => {
    switch (condition.kind) {
      case 'values':
        return !told.has(condition.field) || (condition.mask !== undefined && !marks.has(condition.field));
      case 'ipset':
        return !input.ipsets.has(condition.set);
      case 'lookup':
        return isUnseen(condition.set) || condition.key.some((part) => part.kind === 'unknown');
      default:
        return !answered.has(condition.kind);
    }
  };
  return steps.some((step) => {
    switch (step.kind) {
      case 'unknown':
        return true;
      case 'ask':
        return plainConditions(step.condition).some(isOpen);
      case 'verdictMap':
      case 'assignFrom':
        return isUnseen(step.map);
      case 'nat':
        return isUnseen(step.map?.elements);
      default:
        return false;
    }
  });
}

const answered: ReadonlySet<Condition['kind']> = new Set([
  'always',
  'never',
  'not',
  'all',
  'any',
  'interface',
  'hasPort',
  'bridged',
  'state',
  'status',
  'direction',
  'addressType',
  'chance',
  'inTurn',
  'ipvs',
] as const);

const marks: ReadonlySet<Field> = new Set(['mark', 'connectionMark'] as const);

const told: ReadonlySet<Field> = new Set([
  ...marks,
  'source',
  'destination',
  'protocol',
  'connectionProtocol',
  'sourcePort',
  'destinationPort',
  'family',
  'originalSource',
  'originalDestination',
  'originalSourcePort',
  'originalDestinationPort',
] as const);
