import { rowLength } from '../chains/chainTable.ts';
import { type NatChains, natRow } from '../chains/natChains.ts';
import type { PartList } from '../partList.ts';
import { savedLine } from '../savedLine.ts';

/** Chains of Services that are reduced to line breaks. */
export interface LeftOutChains {
  readonly chains: NatChains;
  readonly isLeftOut: (chain: number) => boolean;
}

/** How many chains are left out. */
export function leftOutIn({ chains: { names }, isLeftOut }: LeftOutChains): number {
  let count = 0;
  for (let chain = 0; chain < names.count(); chain += 1) if (isLeftOut(chain)) count += 1;
  return count;
}

/** A copy of a text in which the lines of some chains are empty, so all others keep their numbers. */
export function excerptOf(bytes: Uint8Array, { list: parts, count }: PartList, leftOut: LeftOutChains): Uint8Array {
  const { isLeftOut } = leftOut;
  let size = bytes.length;
  for (let at = 0; at < 2 * count; at += 2) {
    const part = parts[at + 1] as number;
    if (isLeftOut(part >> 1)) size -= bytesOf(leftOut, part) - linesOf(leftOut, part);
  }
  const excerpt = new Uint8Array(size).fill(0x0a);
  let from = 0;
  let to = 0;
  for (let at = 0; at < 2 * count; at += 2) {
    const part = parts[at + 1] as number;
    if (!isLeftOut(part >> 1)) continue;
    const place = parts[at] as number;
    if (place > from) excerpt.set(bytes.subarray(from, place), to);
    to += place - from;
    to += linesOf(leftOut, part);
    from = place + bytesOf(leftOut, part);
  }
  excerpt.set(bytes.subarray(from), to);
  return excerpt;
}

/** Of a part: a declaration, or the rules of a chain. */
export function bytesOf({ chains: { names } }: LeftOutChains, part: number): number {
  if (part % 2 === 1) return names.rows[rowLength * (part >> 1) + natRow.bytes] as number;
  return names.lengthOf(part >> 1) + savedLine.declaration;
}

export function linesOf({ chains: { names } }: LeftOutChains, part: number): number {
  return part % 2 === 1 ? (names.rows[rowLength * (part >> 1) + natRow.lines] as number) : 1;
}
