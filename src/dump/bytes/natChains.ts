import { areSameBytes } from './areSameBytes.ts';
import { type ChainRows, type ChainTable, chainTable, roomForChains, rowLength } from './chainTable.ts';
import { addPart, type PartList, partList } from './partList.ts';
import { savedLine } from './savedLine.ts';
import { type NatVisitor, scanNat } from './scanNat.ts';
import { viewOf } from './viewOf.ts';

/** Chains of Services in the table nat of a long text, by number, in the order in which it names them. */
export interface NatChains {
  readonly names: ChainTable;
  /** The parts of such chains, in the order of the text. */
  readonly parts: PartList;
}

/**
 * In the row of a chain, behind its name. Of its rules: place, bytes and lines; then what was met of it, and the letters of
 * its name that tell its kind.
 */
export const natRow = { start: 2, bytes: 3, lines: 4, marks: 5, kind: 6 } as const;

/** What was met of a chain. `odd`: it cannot be told from its bytes alone what it is. */
export const natMarks = { declared: 1, rules: 2, odd: 16 } as const;

/**
 * Finds chains in bytes, without making a string of any. Undefined: the text is not plain enough, or `isWorth` says of the
 * chains that are declared before the first rule that there is nothing to win.
 */
export function natChains(
  text: Uint8Array,
  isWorth: (names: ChainTable) => boolean = () => true,
): NatChains | undefined {
  const most = Math.floor(text.length / leastBytes) + 16;
  const names = chainTable(text, roomForChains(most));
  const parts = partList(most);
  const isPlain = scanNat(text, viewOf(text), visitorOf(text, names, parts, isWorth));
  return isPlain && !names.isOverfull() && !parts.isOverfull ? { names, parts } : undefined;
}

/** Four letters behind `KUBE` in the name of a chain tell its kind. */
export const kindAt = 4;

/** A chain with its declaration and one rule is longer; a text with more chains than that is read in the usual way. */
const leastBytes = 150;

/** What is met twice is odd. */
export function markChain({ rows }: ChainRows, chain: number, seen: number): void {
  const known = rows[rowLength * chain + natRow.marks] as number;
  rows[rowLength * chain + natRow.marks] = known & seen ? known | natMarks.odd : known | seen;
}

/** It is declared, has rules, and nothing about it is odd. */
export function isPlainChain({ rows }: ChainRows, chain: number): boolean {
  return rows[rowLength * chain + natRow.marks] === plain;
}

const plain = natMarks.declared | natMarks.rules;

function visitorOf(
  text: Uint8Array,
  names: ChainTable,
  parts: PartList,
  isWorth: (names: ChainTable) => boolean,
): NatVisitor {
  const { rows } = names;
  const view = viewOf(text);
  // Chains mostly come in the order of their declarations: the one that was met before tells the next.
  let last = -1;
  let hasRules = false;
  const chainAt = (at: number, length: number) => {
    last = names.isNamed(last + 1, view, at, length) ? last + 1 : names.add(at, length);
    return last;
  };
  return {
    declaration: (at, length, isPlain) => {
      const chain = chainAt(at + 1, length);
      // Programs declare all chains first: behind a rule a declaration does not tell where the chain stands among others.
      markChain(names, chain, isPlain && !hasRules ? natMarks.declared : natMarks.odd);
      addPart(parts, at, 2 * chain);
      rows[rowLength * chain + natRow.kind] = view.getInt32(at + 1 + kindAt);
    },
    rule: (at, length) => {
      if (!hasRules && !isWorth(names)) return undefined;
      hasRules = true;
      const chain = chainAt(at + savedLine.nameAt, length);
      const run = runAt(text, view, at, length + savedLine.head);
      markChain(names, chain, run.isPlain ? natMarks.rules : natMarks.odd);
      addPart(parts, at, 2 * chain + 1);
      const row = rowLength * chain;
      rows[row + natRow.start] = at;
      rows[row + natRow.bytes] = run.end - at;
      rows[row + natRow.lines] = run.lines;
      // Beside the rules, which are compared next.
      names.move(chain, at + savedLine.nameAt);
      return run.end;
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
