import type { Family } from '../../common/addresses/family.ts';
import { familyOf } from '../../common/addresses/ip.ts';
import type { ValueRange } from '../../common/ranges/valueRange.ts';
import { addressPattern } from '../../netfilter/addressRanges.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { proxySeen } from '../proxySeen.ts';

/** The ranges of a family by which the rules of a node recognize traffic of Pods, as numbers. */
export function podRangesOf(node: NodeRules, family: Family): readonly ValueRange[] {
  return proxySeen(node).podRanges.flatMap((range) =>
    familyOf(range.replace(/\/.*/, '')) === family ? (addressPattern(range)?.range ?? []) : [],
  );
}
