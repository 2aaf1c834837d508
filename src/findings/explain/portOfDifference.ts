import type { ChainDiff } from '../../compare/compareSets.ts';
import { servicePortOfRule } from '../../seen/names/servicePortOfRule.ts';
import { servicePortServed } from '../../seen/names/servicePortServed.ts';
import type { RuleDifference } from './ruleDifferences.ts';

/** `namespace/name:port` that a rule of iptables serves where it is, on the side that has it; empty: nothing shows one. */
export function portOfDifference({ side, rule }: RuleDifference, diff: ChainDiff): string {
  const [set, chain] = side === 'extra' ? [diff.foundSet, diff.found] : [diff.expectedSet, diff.expected];
  const table = set.tables.get(diff.table);
  if (set.kind !== 'iptables' || chain === undefined || table === undefined) return servicePortOfRule(rule);
  return servicePortServed(rule, chain, table, set.family);
}
