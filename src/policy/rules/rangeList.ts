import { type Cidr, parseCidr } from '../../common/cidr.ts';
import type { Family } from '../../common/family.ts';
import { plainIpv4Network } from '../../common/plainIpv4Network.ts';
import type { IpBlockObject } from '../../validate/networkPolicyObjects.ts';

/**
 * Addresses of one family as ascending ranges that neither overlap nor touch: the first and the last address of each in
 * turn. There may be millions, and an object for each would be most of the memory. IPv4 addresses are numbers, which are
 * many times as fast as bigints.
 */
export type RangeList = readonly Address[];

/** Of one family within a list, so that two can always be compared. */
type Address = number | bigint;

/** What blocks of one family hold without their exceptions; those of the other family, and what is no network, hold nothing. */
export function rangesOfBlocks(blocks: readonly IpBlockObject[], family: Family): RangeList {
  const bounds: Address[] = [];
  for (const { cidr, except } of blocks) {
    if (except?.length) subtractInto(bounds, networkOf(cidr, family), boundsOf(except, family));
    else pushNetwork(bounds, cidr, family);
  }
  return mergeBounds(bounds);
}

/** The addresses of all lists. */
export function joinRanges(lists: readonly RangeList[]): RangeList {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const bounds: Address[] = [];
  for (const list of lists) for (const bound of list) bounds.push(bound);
  return mergeBounds(bounds);
}

/** The fewest ranges that hold the same: any ranges, in any order. */
function mergeBounds(bounds: RangeList): RangeList {
  // Lists as programs write them are mostly in order.
  if (isMerged(bounds)) return bounds;
  const half = bounds.length / 2;
  const firsts = everySecond(bounds, 0);
  const lasts = everySecond(bounds, 1);
  const merged: Address[] = [];
  let open = 0;
  let start = firsts[0] as Address;
  // Which first belongs to which last does not matter: only how many ranges are open.
  for (let first = 0, last = 0; last < half; ) {
    if (first < half && (firsts[first] as Address) <= after(lasts[last] as Address)) {
      if (open === 0) start = firsts[first] as Address;
      open += 1;
      first += 1;
    } else {
      open -= 1;
      if (open === 0) merged.push(start, lasts[last] as Address);
      last += 1;
    }
  }
  return merged;
}

function isMerged(bounds: RangeList): boolean {
  for (let at = 2; at < bounds.length; at += 2) {
    if ((bounds[at] as Address) <= after(bounds[at - 1] as Address)) return false;
  }
  return true;
}

/** Sorted. A typed array does that many times as fast as a comparison function. */
function everySecond(bounds: RangeList, from: 0 | 1): ArrayLike<Address> {
  const half = bounds.length / 2;
  if (typeof bounds[0] === 'bigint') {
    const chosen = bounds.filter((_, at) => at % 2 === from);
    return chosen.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
  const chosen = new Float64Array(half);
  for (let at = 0; at < half; at += 1) chosen[at] = bounds[2 * at + from] as number;
  return chosen.sort();
}

function subtractInto(bounds: Address[], network: Cidr | undefined, holes: RangeList): void {
  if (network === undefined) return;
  let first: Address = network.first;
  for (let at = 0; at < holes.length; at += 2) {
    const [from, to] = [holes[at] as Address, holes[at + 1] as Address];
    if (to < first) continue;
    if (from > network.last) break;
    if (from > first) bounds.push(first, before(from));
    first = after(to);
  }
  if (first <= network.last) bounds.push(first, network.last);
}

function boundsOf(cidrs: readonly string[], family: Family): RangeList {
  const bounds: Address[] = [];
  for (const cidr of cidrs) pushNetwork(bounds, cidr, family);
  return mergeBounds(bounds);
}

function pushNetwork(bounds: Address[], text: string, family: Family): void {
  const plain = plainIpv4Network(text);
  if (plain < 0) {
    const network = networkOf(text, family);
    if (network !== undefined) bounds.push(network.first, network.last);
  } else if (family === 'ipv4') {
    const size = 2 ** (32 - (plain % 64));
    const address = Math.floor(plain / 64);
    const first = address - (address % size);
    bounds.push(first, first + size - 1);
  }
}

function networkOf(text: string, family: Family): Cidr | undefined {
  const network = parseCidr(text);
  return network?.family === family ? network : undefined;
}

function after(address: Address): Address {
  return typeof address === 'bigint' ? address + 1n : address + 1;
}

function before(address: Address): Address {
  return typeof address === 'bigint' ? address - 1n : address - 1;
}
