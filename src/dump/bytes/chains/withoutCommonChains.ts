import type { ExcerptLimits } from '../excerpt/excerptLimits.ts';
import { excerptOf, leftOutIn } from '../excerpt/excerptOf.ts';
import { keepCallers } from '../excerpt/keepCallers.ts';
import { keepShown } from '../excerpt/keepShown.ts';
import { commonChains } from './commonChains.ts';

/**
 * Two long iptables-save texts, as bytes, without most of their content: chains of Services that are identical in the
 * nat table of both. What shows the kind and the family of a text stays. Undefined: too little would be left out, or
 * the texts are not plain enough.
 */
export async function withoutCommonChains(
  one: Uint8Array,
  comingOther: Uint8Array | Promise<Uint8Array>,
  limits: ExcerptLimits,
): Promise<readonly [Uint8Array, Uint8Array] | undefined> {
  if (one.length < limits.leastBytes) return undefined;
  const common = await commonChains(one, comingOther);
  const other = await comingOther;
  if (common === undefined || other.length < limits.leastBytes) return undefined;
  const [first, second] = common.parts;
  if (!keepShown(one, first, common, limits) || !keepShown(other, second, common, limits)) return undefined;
  keepCallers(one, common);
  if (leftOutIn(common) <= limits.leastChains) return undefined;
  return [excerptOf(one, first, common), excerptOf(other, second, common)];
}
