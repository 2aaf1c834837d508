import type { Family } from '../../common/addresses/family.ts';
import { lacksLines } from '../../node/lostLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import type { Distribution } from './distribution.ts';

/**
 * Whether rules of a dump are lost: they may do anything with a packet that none translates. A listing of nft has both
 * families.
 */
export function isCutOff({ iptables, nft }: NodeRules, family: Family): boolean {
  return iptables.some((rules) => rules.family === family && hasLosses(rules)) || nft.some(hasLosses);
}

function hasLosses({ tables }: ToolRules): boolean {
  return [...tables.values()].some(lacksLines);
}

/** Whether lost rules on a cut side may be all of the difference: what is shown sends no packet where the other side does not. */
export function mayBeLost({ like, a, b }: BehaviourFinding, [isCutA, isCutB]: readonly [boolean, boolean]): boolean {
  const [own, other] = like === undefined ? [a, b] : [like.a, like.b];
  return (isCutA && isWithin(own, other)) || (isCutB && isWithin(other, own));
}

function isWithin(shown: Distribution, whole: Distribution): boolean {
  const places = arrivals(whole);
  return [...arrivals(shown)].every((place) => places.has(place));
}

function arrivals({ outcomes }: Distribution): ReadonlySet<string> {
  return new Set(
    [...outcomes.values()].flatMap(({ outcome: { kind, at } }) =>
      kind === 'arrives' ? [`${at?.address} ${at?.port}`] : [],
    ),
  );
}
