import type { Family } from '../../../common/addresses/family.ts';
import type { RangeList } from '../../../common/ranges/rangeList.ts';
import type { NftElement, NftSet } from '../../../netfilter/nft/ast.ts';
import { intervalText } from '../../../policy/rules/intervalText.ts';

/** Its elements are made again on each request: a million of them need ten times the memory of their ranges. */
export function intervalSet(
  name: string,
  addressType: 'ipv4_addr' | 'ipv6_addr',
  ranges: RangeList,
  family: Family,
): NftSet {
  return {
    kind: 'set',
    name,
    type: [addressType],
    flags: ['interval'],
    get elements() {
      const elements: NftElement[] = [];
      for (let at = 0; at < ranges.length; at += 2) elements.push({ key: [intervalText(ranges, at, family)] });
      return elements;
    },
  };
}
