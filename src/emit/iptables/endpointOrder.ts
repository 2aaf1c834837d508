import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import type { LineRuns } from './lineRuns.ts';

/**
 * Sorts runs of rules of endpoints' chains (`-A KUBE-SEP-` and sixteen characters of base32) by the names of their chains;
 * runs of one chain keep their order. By numbers made of the first characters and the place of a run, because comparing
 * texts takes longer than anything else.
 */
export function endpointOrder(endpoints: readonly number[], runs: RunBytes): readonly number[] {
  const places = 2 ** Math.ceil(Math.log2(endpoints.length + 1));
  const letters = Math.min(hashLength, Math.floor((53 - Math.log2(places)) / bitsPerLetter));
  const keys = new Float64Array(endpoints.length);
  for (let place = 0; place < endpoints.length; place += 1) {
    const run = endpoints[place] as number;
    const [block, start] = [runs.blockOf(run), runs.startOf(run) + hashStart];
    let key = 0;
    for (let at = start; at < start + letters; at += 1) {
      const code = block[at] as number;
      // Digits (2 to 7) stand before letters.
      key = key * 32 + (code < 0x41 ? code - 0x32 : code - 0x41 + 6);
    }
    keys[place] = key * places + place;
  }
  keys.sort();
  const sorted: number[] = [];
  let hasAlike = false;
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at] as number;
    hasAlike ||= at > 0 && sameStart(key, keys[at - 1] as number, places);
    sorted.push(endpoints[key % places] as number);
  }
  return hasAlike ? sortWithin(sorted, keys, places, runs) : sorted;
}

type RunBytes = Pick<LineRuns, 'blockOf' | 'startOf'>;

const hashStart = `-A ${chainPrefixes.endpoint}`.length;
const hashLength = 16;
const bitsPerLetter = 5;

function sameStart(key: number, before: number, places: number): boolean {
  return Math.floor(key / places) === Math.floor(before / places);
}

/** Names that begin alike, by their further characters. */
function sortWithin(sorted: readonly number[], keys: Float64Array, places: number, runs: RunBytes): readonly number[] {
  const result: number[] = [];
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    end = start + 1;
    while (end < sorted.length && sameStart(keys[end] as number, keys[start] as number, places)) end += 1;
    const alike = sorted.slice(start, end);
    for (const run of alike.length > 1 ? alike.sort((a, b) => compareNames(a, b, runs)) : alike) result.push(run);
  }
  return result;
}

function compareNames(a: number, b: number, runs: RunBytes): number {
  for (let at = hashStart; at < hashStart + hashLength; at += 1) {
    const difference = byteAt(a, at) - byteAt(b, at);
    if (difference !== 0) return difference;
  }
  return 0;

  function byteAt(run: number, at: number): number {
    return runs.blockOf(run)[runs.startOf(run) + at] as number;
  }
}
