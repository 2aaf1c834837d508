import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { type ChainNumbers, type ChainTable, rowLength } from './chains/chainTable.ts';
import { isPlainChain, markChain, natChains, natMarks } from './chains/natChains.ts';
import { type ExcerptLimits, longDumps } from './excerpt/excerptLimits.ts';
import { excerptOf, leftOutIn } from './excerpt/excerptOf.ts';
import { keepShown } from './excerpt/keepShown.ts';
import { lineNumbers } from './lineNumbers.ts';
import { type ByteTargets, targetsInBytes } from './targetsInBytes.ts';

/**
 * What the bytes of a long iptables-save dump show about chains of Services, without strings. It consists of plain
 * numbers, which one thread can hand to another without a copy.
 */
export interface LongDumpIndex {
  readonly text: Uint8Array;
  /** All chains of Services; the excerpt leaves out those that are declared, have rules and are not odd. */
  readonly names: ChainNumbers;
  readonly excerpt: Uint8Array;
  /** For each chain that is left out, at twice its number: the line of its declaration, then that of its first rule. */
  readonly lines: Int32Array;
  readonly targets: ByteTargets;
  /** For each chain that is left out, 1 if it is usual; undefined: nobody has looked yet. */
  readonly usual?: Uint8Array;
}

/** Undefined: the text must be read in the usual way, because it is short or may not be what it seems. */
export function indexLongDump(text: Uint8Array, limits: ExcerptLimits = longDumps): LongDumpIndex | undefined {
  if (text.length < limits.leastBytes) return undefined;
  const chains = natChains(text, (names) => names.count() - unhashed(text, names).length > limits.leastChains);
  if (chains === undefined) return undefined;
  const { names, parts } = chains;
  for (const chain of unhashed(text, names)) markChain(names, chain, natMarks.odd);
  const leftOut = { chains, isLeftOut: (chain: number) => isPlainChain(names, chain) };
  if (!keepShown(text, parts, leftOut, limits) || leftOutIn(leftOut) <= limits.leastChains) return undefined;
  return {
    text,
    names: names.numbers(),
    excerpt: excerptOf(text, parts, leftOut),
    lines: lineNumbers(text, leftOut),
    targets: targetsInBytes(text, leftOut),
  };
}

/** Chains without a hash in their names, which may belong to somebody else. */
function unhashed(text: Uint8Array, names: ChainTable): readonly number[] {
  const found: number[] = [];
  for (let chain = 0; chain < names.count(); chain += 1) {
    if (!isHashed(text, names.rows[rowLength * chain] as number, names.lengthOf(chain))) found.push(chain);
  }
  return found;
}

/** Whether the name ends with a dash and the sixteen characters of a hash; no other program uses such names. */
function isHashed(text: Uint8Array, name: number, length: number): boolean {
  const start = name + length - hashLength;
  if (length > longestName || text[start - 1] !== dash) return false;
  for (let at = start; at < name + length; at += 1) if (ofHashes[text[at] as number] !== 1) return false;
  return true;
}

const hashLength = 16;
const longestName = hashLength + Math.max(...Object.values(chainPrefixes).map(({ length }) => length));
const dash = 0x2d;
const ofHashes = Uint8Array.from({ length: 256 }, (_, code) => (/[A-Z2-7]/.test(String.fromCharCode(code)) ? 1 : 0));
