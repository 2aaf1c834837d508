import type { Family } from '../../common/addresses/family.ts';
import { endsEarly } from '../../node/endsEarly.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import type { Distribution } from './distribution.ts';

/**
 * Whether the text of a dump ends within a table: rules that are lost may do anything with a packet that none translates. A
 * listing of nft has both families.
 */
export function isCutOff({ iptables, nft }: NodeRules, family: Family): boolean {
  return iptables.some((rules) => rules.family === family && endsEarly(rules)) || nft.some(endsEarly);
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
