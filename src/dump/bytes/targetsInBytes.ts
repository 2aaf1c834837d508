import { decodeLatin1 } from '../../common/text/textBytes.ts';
import { type ChainRows, rowLength } from './chains/chainTable.ts';
import { natRow } from './chains/natChains.ts';
import type { LeftOutChains } from './excerpt/excerptOf.ts';
import { viewOf } from './viewOf.ts';
import { word } from './word.ts';

/** What the rules of chains in bytes lead to. */
export interface ByteTargets {
  /** For each of these chains, 1 if a rule leads to it. */
  readonly used: Uint8Array;
  /** The first rule, as chain and place in it, that leads to each other chain of kube-proxy. */
  readonly others: readonly { readonly name: string; readonly chain: number; readonly at: number }[];
}

/** kube-proxy's chains are named at the end of a line. */
export function targetsInBytes(text: Uint8Array, { chains: { names }, isLeftOut }: LeftOutChains): ByteTargets {
  const view = viewOf(text);
  const used = new Uint8Array(names.count());
  const others = new Map<string, ByteTargets['others'][number]>();
  let hasMarking = false;
  for (let chain = 0; chain < used.length; chain += 1) {
    if (!isLeftOut(chain)) continue;
    eachLine(text, names, chain, (stop, line) => {
      if (hasMarking && isMarking(view, stop)) return;
      const name = targetAt(text, view, stop);
      if (name === -1) return;
      const target = names.find(view, name, stop - name);
      if (target !== -1 && isLeftOut(target)) {
        used[target] = 1;
        return;
      }
      const other = decodeLatin1(text, name, stop);
      if (!others.has(other)) others.set(other, { name: other, chain, at: line });
      hasMarking ||= other === marking;
    });
  }
  return { used, others: [...others.values()] };
}

/** Visits the end of each line of a chain in bytes. */
export function eachLine(
  text: Uint8Array,
  { rows }: ChainRows,
  chain: number,
  visit: (stop: number, line: number) => void,
): void {
  let at = rows[rowLength * chain + natRow.start] as number;
  const end = at + (rows[rowLength * chain + natRow.bytes] as number);
  for (let line = 0; at < end; line += 1) {
    const stop = text.indexOf(lineBreak, at);
    visit(stop, line);
    at = stop + 1;
  }
}

const lineBreak = 0x0a;
const blank = 0x20;
const dash = 0x2d;

const kube = word('KUBE');
const marking = 'KUBE-MARK-MASQ';
const masq = word('MASQ');
const mark = word('MARK');

/** Half of all jumps lead there: only the first makes a name. */
function isMarking(view: DataView, stop: number): boolean {
  return (
    view.getInt32(stop - 4) === masq &&
    view.getInt32(stop - 9) === mark &&
    view.getInt32(stop - marking.length) === kube &&
    view.getUint8(stop - marking.length - 1) === blank
  );
}

/** Where the name of a line's target chain begins; -1: it is not one of kube-proxy's. */
export function targetAt(text: Uint8Array, view: DataView, stop: number): number {
  let at = stop - usualLength;
  // Nearly all names are as long as this, with their hash.
  if (view.getInt32(at) !== kube || text[at - 1] !== blank || text.indexOf(blank, at) < stop) {
    at = text.lastIndexOf(blank, stop - 1) + 1;
  }
  const isJump = stop - at > 4 && view.getInt32(at) === kube && text[at + 4] === dash && text[at - 3] === dash;
  return isJump ? at : -1;
}

const usualLength = 25;
