import { endpointChainLength } from '../../../netfilter/writeEndpointChain.ts';

/**
 * Sorts the places of names of endpoints' chains (`KUBE-SEP-` and sixteen characters of base32) in byte order; equal
 * names keep their order. It sorts numbers made from the first characters and the index of a place, because comparing
 * texts takes longer than anything else.
 */
export function endpointOrder(bytes: Uint8Array, places: Uint32Array): Uint32Array {
  const count = places.length;
  const indexes = 2 ** Math.ceil(Math.log2(count + 1));
  const letters = Math.min(hashLength, Math.floor((53 - Math.log2(indexes)) / bitsPerLetter));
  const keys = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const start = (places[index] as number) + hashStart;
    let key = 0;
    for (let at = start; at < start + letters; at += 1) {
      const code = bytes[at] as number;
      // Digits (2 to 7) come before letters.
      key = key * 32 + (code < 0x41 ? code - 0x32 : code - 0x41 + 6);
    }
    keys[index] = key * indexes + index;
  }
  keys.sort();
  const sorted = new Uint32Array(count);
  let before = -1;
  let hasAlike = false;
  for (let at = 0; at < count; at += 1) {
    const key = keys[at] as number;
    const start = Math.floor(key / indexes);
    hasAlike ||= start === before;
    before = start;
    sorted[at] = places[key - start * indexes] as number;
  }
  if (hasAlike) sortWithin(sorted, (at) => Math.floor((keys[at] as number) / indexes), bytes);
  return sorted;
}

const hashLength = 16;
const hashStart = endpointChainLength - hashLength;
const bitsPerLetter = 5;

/** Names that begin alike, by their remaining characters. */
function sortWithin(sorted: Uint32Array, startOf: (at: number) => number, bytes: Uint8Array): void {
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    end = start + 1;
    while (end < sorted.length && startOf(end) === startOf(start)) end += 1;
    if (end > start + 1) sorted.subarray(start, end).sort((a, b) => compareNames(a, b, bytes));
  }
}

function compareNames(one: number, other: number, bytes: Uint8Array): number {
  for (let at = hashStart; at < endpointChainLength; at += 1) {
    const difference = (bytes[one + at] as number) - (bytes[other + at] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
