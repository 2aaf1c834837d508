import { areSameBytes } from '../areSameBytes.ts';
import type { LeftOutChains } from '../excerpt/excerptOf.ts';
import { addPart, type PartList, partList } from '../partList.ts';
import { savedLine } from '../savedLine.ts';
import { type NatVisitor, scanNat } from '../scanNat.ts';
import { viewOf } from '../viewOf.ts';
import { rowLength } from './chainTable.ts';
import { markChain, type NatChains, natChains, natMarks, natRow } from './natChains.ts';

/** Chains of Services in the nat table of two texts; chains that are identical in both count as left out. */
export interface CommonChains extends LeftOutChains {
  /** The parts of such chains in each text. */
  readonly parts: readonly [PartList, PartList];
}

/**
 * Compares chains as bytes, without making strings. Asks for the second text once the first is indexed. Undefined: the
 * texts are not plain enough.
 */
export async function commonChains(
  one: Uint8Array,
  comingOther: Uint8Array | Promise<Uint8Array>,
): Promise<CommonChains | undefined> {
  const chains = natChains(one);
  if (chains === undefined) return undefined;
  const other = await comingOther;
  const second = partList(chains.parts.list.length / 4);
  const isPlain = scanNat(other, viewOf(other), secondVisitor(one, other, chains, second));
  if (!isPlain || chains.names.isOverfull() || second.isOverfull) return undefined;
  const { rows } = chains.names;
  const isLeftOut = (chain: number) => {
    const seen = rows[rowLength * chain + natRow.marks];
    return seen === inBoth || seen === undeclaredInBoth;
  };
  return { chains, parts: [chains.parts, second], isLeftOut };
}

const declaredSecond = 4;
const rulesSecond = 8;
const inBoth = natMarks.declared | natMarks.rules | declaredSecond | rulesSecond;
const undeclaredInBoth = natMarks.rules | rulesSecond;

function secondVisitor(one: Uint8Array, other: Uint8Array, { names }: NatChains, second: PartList): NatVisitor {
  const { rows } = names;
  const [oneView, otherView] = [viewOf(one), viewOf(other)];
  let last = -1;
  let isInOrder = true;
  const chainAt = (at: number, length: number) => {
    const next = last + 1;
    const chain = isInOrder && names.isNamed(next, otherView, at, length) ? next : names.find(otherView, at, length);
    isInOrder = chain === next;
    if (chain !== -1) last = chain;
    return chain;
  };
  return {
    declaration: (at, length, isPlain) => {
      const chain = chainAt(at + 1, length);
      if (chain === -1) return;
      markChain(names, chain, isPlain ? declaredSecond : natMarks.odd);
      addPart(second, at, 2 * chain);
    },
    rule: (at, length) => {
      const chain = chainAt(at + savedLine.nameAt, length);
      const row = rowLength * chain;
      const known = chain === -1 ? natMarks.odd : (rows[row + natRow.marks] as number);
      if ((known & natMarks.rules) !== 0 && (known & natMarks.odd) === 0) {
        const bytes = rows[row + natRow.bytes] as number;
        const isEqual = areSameBytes(oneView, rows[row + natRow.start] as number, otherView, at, bytes);
        if (isEqual && !areSameBytes(otherView, at, otherView, at + bytes, length + savedLine.head)) {
          markChain(names, chain, rulesSecond);
          addPart(second, at, 2 * chain + 1);
          return at + bytes;
        }
        markChain(names, chain, natMarks.odd);
      }
      const end = other.indexOf(lineBreak, at);
      return end === -1 ? other.length : end + 1;
    },
  };
}

const lineBreak = 0x0a;
