import { type Cidr, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { plainIpv4Network } from '../../common/addresses/plainIpv4Network.ts';
import { prefixRange } from '../../common/ranges/prefixRange.ts';
import { mergeBounds, pushWithout, type RangeList } from '../../common/ranges/rangeList.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import type { IpBlockObject } from '../../validate/kinds/networkPolicyObjects.ts';

/** What blocks of one family hold without their exceptions; those of the other family, and what is no network, hold nothing. */
export function rangesOfBlocks(blocks: readonly IpBlockObject[], family: Family): RangeList {
  const bounds: Value[] = [];
  for (const { cidr, except } of blocks) {
    if (!except?.length) {
      pushNetwork(bounds, cidr, family);
      continue;
    }
    const network = networkOf(cidr, family);
    if (network !== undefined) pushWithout(bounds, network, boundsOf(except, family));
  }
  return mergeBounds(bounds);
}

function boundsOf(cidrs: readonly string[], family: Family): RangeList {
  const bounds: Value[] = [];
  for (const cidr of cidrs) pushNetwork(bounds, cidr, family);
  return mergeBounds(bounds);
}

function pushNetwork(bounds: Value[], text: string, family: Family): void {
  const plain = plainIpv4Network(text);
  if (plain < 0) {
    const network = networkOf(text, family);
    if (network !== undefined) bounds.push(network.first, network.last);
  } else if (family === 'ipv4') {
    const { first, last } = prefixRange(Math.floor(plain / 64), plain % 64);
    bounds.push(first, last);
  }
}

function networkOf(text: string, family: Family): Cidr | undefined {
  const network = parseCidr(text);
  return network?.family === family ? network : undefined;
}
