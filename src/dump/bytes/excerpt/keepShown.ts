import { familyMarks } from '../../familyMarks.ts';
import { rowLength } from '../chains/chainTable.ts';
import { keepChain, type NatChains, natRow } from '../chains/natChains.ts';
import type { PartList } from '../partList.ts';
import type { ExcerptLimits } from './excerptLimits.ts';
import type { LeftOutChains } from './excerptOf.ts';

/**
 * Chains that a text is about to lose are kept if readers recognize the text by them: all in its head, and the first
 * that show the family. False: none of many chains shows the family.
 */
export function keepShown(bytes: Uint8Array, parts: PartList, leftOut: LeftOutChains, limits: ExcerptLimits): boolean {
  keepHead(parts, leftOut.chains, headEnd(bytes, limits));
  return keepFamily(bytes, parts, leftOut);
}

function headEnd(bytes: Uint8Array, { headBytes, headLines }: ExcerptLimits): number {
  let lines = 0;
  for (let at = 0; at < bytes.length; ) {
    if (at >= headBytes && lines >= headLines) return at;
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) break;
    if (end > at) lines += 1;
    at = end + 1;
  }
  return bytes.length;
}

function keepHead({ list: parts, count }: PartList, chains: NatChains, end: number): void {
  for (let at = 0; at < 2 * count && (parts[at] as number) < end; at += 2)
    keepChain(chains.names, (parts[at + 1] as number) >> 1);
}

/** Keeps the first chains that show the family of a table. False: none of many does. */
function keepFamily(bytes: Uint8Array, { list: parts, count }: PartList, leftOut: LeftOutChains): boolean {
  const { rows } = leftOut.chains.names;
  let wanted: readonly RegExp[] = [familyMarks.certain, familyMarks.any];
  let tries = 0;
  for (let at = 0; at < 2 * count && wanted.length > 0; at += 2) {
    const part = parts[at + 1] as number;
    const chain = part >> 1;
    if (part % 2 === 0 || !leftOut.isLeftOut(chain)) continue;
    tries += 1;
    if (tries > mostTries) return false;
    const from = parts[at] as number;
    const length = Math.min(rows[rowLength * chain + natRow.bytes] as number, longestRules);
    const rules = String.fromCharCode(...bytes.subarray(from, from + length));
    const left = wanted.filter((mark) => !mark.test(rules));
    if (left.length < wanted.length) keepChain(leftOut.chains.names, chain);
    wanted = left;
  }
  return true;
}

const mostTries = 2000;

/** The number of arguments of a call is limited. */
const longestRules = 1 << 15;
