import { chainPrefixes, type ServiceChainKind } from '../../../netfilter/proxyChains.ts';
import { areSameBytes } from '../areSameBytes.ts';
import { addPart, type PartList, partList } from '../partList.ts';
import { savedLine } from '../savedLine.ts';
import { type NatVisitor, scanNat } from '../scanNat.ts';
import { viewOf } from '../viewOf.ts';
import { word } from '../word.ts';
import { type ChainRows, type ChainTable, chainTable, roomForChains, rowLength } from './chainTable.ts';

/** Chains of Services in the nat table of a long text, by number, in the order in which it names them. */
export interface NatChains {
  readonly names: ChainTable;
  /** The parts of such chains, in the order of the text. */
  readonly parts: PartList;
}

/**
 * Columns of a chain's row after its name: place, bytes and lines of its rules; then what was met of it, and the
 * letters of its name that show its kind.
 */
export const natRow = { start: 2, bytes: 3, lines: 4, marks: 5, kind: 6 } as const;

/** What was met of a chain. `odd`: its bytes alone do not show what it is. */
export const natMarks = { declared: 1, rules: 2, odd: 16 } as const;

/**
 * Finds chains in bytes, without making strings. Undefined: the text is not plain enough, or `isWorth` finds from the
 * chains declared before the first rule that nothing can be saved.
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

/** Four letters after `KUBE` in the name of a chain show its kind. */
const kindAt = 4;

/** These letters, as `natRow.kind` has them. */
export function kindWord(kind: ServiceChainKind): number {
  return word(chainPrefixes[kind].slice(kindAt, kindAt + 4));
}

/** A chain with its declaration and one rule is longer; a text with more chains than that is read in the usual way. */
const leastBytes = 150;

/** A thing that is met twice is odd. */
export function markChain({ rows }: ChainRows, chain: number, seen: number): void {
  const known = rows[rowLength * chain + natRow.marks] as number;
  rows[rowLength * chain + natRow.marks] = known & seen ? known | natMarks.odd : known | seen;
}

/** A reader needs the chain as text. */
export function keepChain({ rows }: ChainRows, chain: number): void {
  rows[rowLength * chain + natRow.marks] = natMarks.odd;
}

/** It is declared, has rules, and is not odd. */
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
  // Chains usually come in the order of their declarations: the previous one predicts the next.
  let last = -1;
  let hasRules = false;
  const chainAt = (at: number, length: number) => {
    last = names.isNamed(last + 1, view, at, length) ? last + 1 : names.add(at, length);
    return last;
  };
  return {
    declaration: (at, length, isPlain) => {
      const chain = chainAt(at + 1, length);
      // Programs declare all chains first: a declaration after a rule does not show the chain's place among the others.
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
      // Next to the rules, which are compared next.
      names.move(chain, at + savedLine.nameAt);
      return run.end;
    },
  };
}

interface Run {
  /** Behind the last line. */
  readonly end: number;
  readonly lines: number;
  /** Nothing in it looks like what copying puts around a text. */
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
      const odd = oddities[bytes[end] as number] as number;
      if (odd !== 0 && !isArrow(bytes, end)) seen |= odd;
      end += 1;
    }
    // The last line of a text ends with a line break, or it may be cut.
    if (end >= bytes.length) return { end: bytes.length, lines: lines + 1, isPlain: false };
    seen |= oddEnds[bytes[end - 1] as number] as number;
    lines += 1;
    at = end + 1;
  } while (areSameBytes(view, from, view, at, head));
  return { end: at, lines, isPlain: seen === 0 };
}

const lineBreak = 0x0a;

/** The end of ` -> ` in a comment of kube-proxy, from the Service to the endpoint. */
function isArrow(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x3e && bytes[at - 1] === 0x2d && bytes[at - 2] === 0x20 && bytes[at + 1] === 0x20;
}

/** Characters that mails, web pages, JSON and Windows put where programs do not. */
const oddities = Uint8Array.from({ length: 256 }, (_, code) =>
  code < 0x20 || code > 0x7d || isIn('\\<>&`', code) ? 1 : 0,
);
const oddEnds = Uint8Array.from({ length: 256 }, (_, code) => (isIn(' *.=', code) ? 1 : 0));

function isIn(letters: string, code: number): boolean {
  return letters.includes(String.fromCharCode(code));
}
