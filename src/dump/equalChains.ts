import { areSameBytes } from './areSameBytes.ts';
import { chainTable, rowLength } from './chainTable.ts';
import { type NatVisitor, scanNat } from './scanNat.ts';

/** Chains of Services in the table nat of two texts, by number, in the order in which the first text names them. */
export interface EqualChains {
  /** The parts of such chains in each text, in its order: the place of each, then its number. */
  readonly parts: readonly [PartList, PartList];
  readonly chainOf: (part: number) => number;
  /** Each text has the chain once, with the same declaration and the same plain rules. */
  readonly isEqual: (chain: number) => boolean;
  /** The chain is not to count as equal. */
  readonly keep: (chain: number) => void;
  /** Bytes and lines of a part: a declaration, or the rules of a chain. */
  readonly bytesOf: (part: number) => number;
  readonly linesOf: (part: number) => number;
  /** The rules of a chain as text. */
  readonly rulesOf: (chain: number) => string;
  readonly count: () => number;
}

/**
 * Compares chains as bytes, without making a string of any. The second text is waited for when the first one is known.
 * Undefined: the texts are not plain enough.
 */
export async function equalChains(
  one: Uint8Array,
  comingOther: Uint8Array | Promise<Uint8Array>,
): Promise<EqualChains | undefined> {
  const chains = newChains(one);
  if (!scanNat(one, viewOf(one), firstVisitor(one, chains))) return undefined;
  const other = await comingOther;
  chains.last = -1;
  if (
    !scanNat(other, viewOf(other), secondVisitor(one, other, chains)) ||
    chains.names.isOverfull() ||
    chains.first.isOverfull ||
    chains.second.isOverfull
  )
    return undefined;
  const { names } = chains;
  const { rows } = names;
  const isEqual = (chain: number) => {
    const seen = rows[rowLength * chain + marks];
    return seen === inBoth || seen === undeclaredInBoth;
  };
  return {
    parts: [chains.first, chains.second],
    chainOf: (part) => part >> 1,
    isEqual,
    keep: (chain) => {
      rows[rowLength * chain + marks] = kept;
    },
    bytesOf: (part) => {
      const row = rowLength * (part >> 1);
      return part % 2 === 1 ? (rows[row + bytesAt] as number) : names.lengthOf(part >> 1) + declarationBytes;
    },
    linesOf: (part) => (part % 2 === 1 ? (rows[rowLength * (part >> 1) + linesAt] as number) : 1),
    rulesOf: (chain) => {
      const row = rowLength * chain;
      const from = rows[row + startAt] as number;
      return String.fromCharCode(...one.subarray(from, from + Math.min(rows[row + bytesAt] as number, longestRules)));
    },
    count: () => {
      let count = 0;
      for (let chain = 0; chain < names.count(); chain += 1) {
        if (isEqual(chain)) count += 1;
      }
      return count;
    },
  };
}

/** Of arguments that a function takes there is a limit. */
const longestRules = 1 << 15;

function newChains(one: Uint8Array) {
  const most = Math.floor(one.length / leastBytes) + 16;
  return {
    names: chainTable(one, most),
    /** Parts in the order of each text. */
    first: newParts(most),
    second: newParts(most),
    /** Chains mostly come in the order of their declarations: the one that was met before. */
    last: -1,
  };
}

/** Places and parts in turn. */
export interface PartList {
  readonly list: Int32Array;
  count: number;
  isOverfull: boolean;
}

/** Of each chain there are a declaration and rules; more of them are of no use, and the text is not plain. */
function newParts(chains: number): PartList {
  return { list: new Int32Array(4 * chains), count: 0, isOverfull: false };
}

function addPart(parts: PartList, place: number, part: number): void {
  if (2 * parts.count + 2 > parts.list.length) {
    parts.isOverfull = true;
    return;
  }
  parts.list[2 * parts.count] = place;
  parts.list[2 * parts.count + 1] = part;
  parts.count += 1;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

type Chains = ReturnType<typeof newChains>;

/** A chain with its declaration and one rule is longer; a text with more chains than that is read in the usual way. */
const leastBytes = 150;

/** In the row of a chain, behind its name. Of the rules in the first text: place, bytes and lines; what was met in both. */
const startAt = 2;
const bytesAt = 3;
const linesAt = 4;
const marks = 5;

const declaredFirst = 1;
const rulesFirst = 2;
const declaredSecond = 4;
const rulesSecond = 8;
const kept = 16;
const inBoth = declaredFirst | rulesFirst | declaredSecond | rulesSecond;
const undeclaredInBoth = rulesFirst | rulesSecond;

/** Of `:CHAIN - [0:0]` beside the name, with the line break. */
const declarationBytes = 10;
/** Of `-A CHAIN ` in front of the name and beside it. */
const nameAt = 3;
const headBytes = 4;

function mark({ names: { rows } }: Chains, chain: number, seen: number): void {
  const known = rows[rowLength * chain + marks] as number;
  rows[rowLength * chain + marks] = known & seen ? known | kept : known | seen;
}

function firstVisitor(one: Uint8Array, chains: Chains): NatVisitor {
  const { names, first } = chains;
  const { rows } = names;
  const view = viewOf(one);
  const chainAt = (at: number, length: number) => {
    const next = chains.last + 1;
    chains.last = names.isNamed(next, view, at, length) ? next : names.add(at, length);
    return chains.last;
  };
  return {
    declaration: (at, length, isPlain) => {
      const chain = chainAt(at + 1, length);
      mark(chains, chain, isPlain ? declaredFirst : kept);
      addPart(first, at, 2 * chain);
    },
    rule: (at, length) => {
      const chain = chainAt(at + nameAt, length);
      const run = runAt(one, view, at, length + headBytes);
      mark(chains, chain, run.isPlain ? rulesFirst : kept);
      addPart(first, at, 2 * chain + 1);
      const row = rowLength * chain;
      rows[row + startAt] = at;
      rows[row + bytesAt] = run.end - at;
      rows[row + linesAt] = run.lines;
      // Beside the rules, which are compared next.
      names.move(chain, at + nameAt);
      return run.end;
    },
  };
}

function secondVisitor(one: Uint8Array, other: Uint8Array, chains: Chains): NatVisitor {
  const { names, second } = chains;
  const { rows } = names;
  const [oneView, otherView] = [viewOf(one), viewOf(other)];
  let isInOrder = true;
  const chainAt = (at: number, length: number) => {
    const next = chains.last + 1;
    const chain = isInOrder && names.isNamed(next, otherView, at, length) ? next : names.find(otherView, at, length);
    isInOrder = chain === next;
    if (chain !== -1) chains.last = chain;
    return chain;
  };
  return {
    declaration: (at, length, isPlain) => {
      const chain = chainAt(at + 1, length);
      if (chain === -1) return;
      mark(chains, chain, isPlain ? declaredSecond : kept);
      addPart(second, at, 2 * chain);
    },
    rule: (at, length) => {
      const chain = chainAt(at + nameAt, length);
      const row = rowLength * chain;
      const known = chain === -1 ? kept : (rows[row + marks] as number);
      if ((known & rulesFirst) !== 0 && (known & kept) === 0) {
        const bytes = rows[row + bytesAt] as number;
        const isEqual = areSameBytes(oneView, rows[row + startAt] as number, otherView, at, bytes);
        if (isEqual && !areSameBytes(otherView, at, otherView, at + bytes, length + headBytes)) {
          mark(chains, chain, rulesSecond);
          addPart(second, at, 2 * chain + 1);
          return at + bytes;
        }
        mark(chains, chain, kept);
      }
      const end = other.indexOf(lineBreak, at);
      return end === -1 ? other.length : end + 1;
    },
  };
}

interface Run {
  /** Behind the last line. */
  readonly end: number;
  readonly lines: number;
  /** Nothing in it means anything to who takes off what copying puts around a text. */
  readonly isPlain: boolean;
}

/** The lines from a place on that begin with the same bytes as the first. */
function runAt(bytes: Uint8Array, view: DataView, from: number, head: number): Run {
  let at = from;
  let lines = 0;
  let seen = 0;
  do {
    let end = at + head;
    while (end < bytes.length && bytes[end] !== lineBreak) {
      seen |= oddities[bytes[end] as number] as number;
      end += 1;
    }
    // The last line of a text ends with a line break, or with what nobody can tell.
    if (end >= bytes.length) return { end: bytes.length, lines: lines + 1, isPlain: false };
    seen |= oddEnds[bytes[end - 1] as number] as number;
    lines += 1;
    at = end + 1;
  } while (areSameBytes(view, from, view, at, head));
  return { end: at, lines, isPlain: seen === 0 };
}

const lineBreak = 0x0a;

/** What mails, web pages, JSON and Windows write in other places than programs do. */
const oddities = Uint8Array.from({ length: 256 }, (_, code) =>
  code < 0x20 || code > 0x7d || isIn('\\<>&`', code) ? 1 : 0,
);
const oddEnds = Uint8Array.from({ length: 256 }, (_, code) => (isIn(' *.=', code) ? 1 : 0));

function isIn(letters: string, code: number): boolean {
  return letters.includes(String.fromCharCode(code));
}
