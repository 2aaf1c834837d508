import { deduceTarget } from '../../diff/deduceTarget.ts';
import { addressPattern } from '../../netfilter/addressRanges.ts';
import type { ValueRange } from '../../netfilter/meaning.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/** The ranges by which the rules of a node tell what comes from Pods. */
export function podRangesOf(node: NodeRules): readonly ValueRange[] {
  const ranges = deduceTarget(node).clusterCIDR?.split(',') ?? [];
  return ranges.flatMap((range) => addressPattern(range)?.range ?? []);
}
