import { type EqualChains, equalChains, type PartList } from './equalChains.ts';
import { familyMarks } from './familyMarks.ts';

/** From which size on it is worth it, and what stays. */
export interface ExcerptLimits {
  /** Bytes that each text has at least. */
  readonly leastBytes: number;
  /** Both texts have more equal chains than this. */
  readonly leastChains: number;
  /** Bytes at the start of each text that are left as they are: readers tell from them what a text is. */
  readonly headBytes: number;
}

/**
 * Two long texts of iptables-save, as bytes, without what nearly all of them is: chains of Services that the table nat of
 * both has in the very same words. Their lines are left empty, so that all others keep their numbers. What tells the
 * kind and the family of a text stays. Undefined: too little would be left out, or the texts are not plain enough.
 */
export async function withoutEqualChains(
  one: Uint8Array,
  comingOther: Uint8Array | Promise<Uint8Array>,
  { leastBytes, leastChains, headBytes }: ExcerptLimits,
): Promise<readonly [Uint8Array, Uint8Array] | undefined> {
  if (one.length < leastBytes) return undefined;
  const chains = await equalChains(one, comingOther);
  const other = await comingOther;
  if (chains === undefined || other.length < leastBytes) return undefined;
  const [first, second] = chains.parts;
  keepHead(first, chains, headEnd(one, headBytes));
  keepHead(second, chains, headEnd(other, headBytes));
  if (!keepFamily(first, chains) || !keepFamily(second, chains)) return undefined;
  if (chains.count() <= leastChains) return undefined;
  return [excerptOf(one, first, chains), excerptOf(other, second, chains)];
}

/** The end of the head: so many bytes, and so many lines that are not empty. */
function headEnd(bytes: Uint8Array, least: number): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; ) {
    if (at >= least && lines >= headLines) return at;
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) break;
    if (end > at) lines += 1;
    at = end + 1;
  }
  return bytes.length;
}

/** Readers look at the first 40. */
const headLines = 100;

function keepHead({ list: parts, count }: PartList, chains: EqualChains, end: number): void {
  for (let at = 0; at < 2 * count && (parts[at] as number) < end; at += 2) {
    chains.keep(chains.chainOf(parts[at + 1] as number));
  }
}

/** Keeps the first chains that show the family of a table. False: none of many does. */
function keepFamily({ list: parts, count }: PartList, chains: EqualChains): boolean {
  let wanted: readonly RegExp[] = [familyMarks.certain, familyMarks.any];
  let tries = 0;
  for (let at = 0; at < 2 * count && wanted.length > 0; at += 2) {
    const chain = chains.chainOf(parts[at + 1] as number);
    if (!chains.isEqual(chain)) continue;
    tries += 1;
    if (tries > mostTries) return false;
    const rules = chains.rulesOf(chain);
    const left = wanted.filter((mark) => !mark.test(rules));
    if (left.length < wanted.length) chains.keep(chain);
    wanted = left;
  }
  return true;
}

const mostTries = 2000;

/** A copy without equal chains, which leave their line breaks behind. */
function excerptOf(bytes: Uint8Array, { list: parts, count }: PartList, chains: EqualChains): Uint8Array {
  let size = bytes.length;
  for (let at = 0; at < 2 * count; at += 2) {
    const part = parts[at + 1] as number;
    if (!chains.isEqual(chains.chainOf(part))) continue;
    size -= chains.bytesOf(part) - chains.linesOf(part);
  }
  const excerpt = new Uint8Array(size).fill(0x0a);
  let from = 0;
  let to = 0;
  for (let at = 0; at < 2 * count; at += 2) {
    const part = parts[at + 1] as number;
    if (!chains.isEqual(chains.chainOf(part))) continue;
    const place = parts[at] as number;
    if (place > from) excerpt.set(bytes.subarray(from, place), to);
    to += place - from;
    to += chains.linesOf(part);
    from = place + chains.bytesOf(part);
  }
  excerpt.set(bytes.subarray(from), to);
  return excerpt;
}
