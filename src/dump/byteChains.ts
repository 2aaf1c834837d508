import { decodeLatin1, newBlock, writeText } from '../common/textBytes.ts';
import { chainPrefixes, type ServiceChainKind } from '../netfilter/proxyChains.ts';
import type { ByteChains, ByteUses } from '../node/byteChains.ts';
import { newChain } from '../node/chainDraft.ts';
import { firstNamed } from '../node/chainsInOrder.ts';
import type { RuleChain } from '../node/nodeRules.ts';
import { areSameBytes } from './areSameBytes.ts';
import { rowLength } from './chainTable.ts';
import { bytesOf, type LeftOutChains, linesOf } from './excerptOf.ts';
import { natRow } from './natChains.ts';
import { usesInBytes } from './usesInBytes.ts';
import { viewOf } from './viewOf.ts';
import { word } from './word.ts';

/** The chains of a text that are left out of its excerpt; `others` are those of the excerpt's table nat. */
export function byteChains(
  text: Uint8Array,
  leftOut: LeftOutChains,
  file: string,
  others: ReadonlyMap<string, RuleChain>,
): ByteChains {
  const { chains, isLeftOut } = leftOut;
  const { rows } = chains.names;
  const view = viewOf(text);
  const shortBytes = new Uint8Array(longestName);
  const shortView = viewOf(shortBytes);
  let scratch = newBlock(0);
  let scratchView = viewOf(scratch);
  const asciiAt = (start: number, length: number) => decodeLatin1(text, start, start + length);
  const made: (RuleChain | undefined)[] = [];
  let lines: Int32Array | undefined;
  let uses: ByteUses | undefined;
  const lineOf = (part: number) => {
    lines ??= lineNumbers(text, leftOut);
    return lines[part] as number;
  };
  const chainAt = (chain: number) => {
    const known = made[chain];
    if (known !== undefined) return known;
    const row = rowLength * chain;
    const own = newChain(asciiAt(rows[row] as number, chains.names.lengthOf(chain)), file);
    own.isDeclared = true;
    own.declaredAt = lineOf(2 * chain);
    own.firstLine = lineOf(2 * chain + 1);
    own.text = asciiAt(rows[row + natRow.start] as number, (rows[row + natRow.bytes] as number) - 1);
    made[chain] = own;
    return own;
  };
  const find = (name: string) => {
    if (name.length > longestName) return -1;
    // A letter beyond ASCII becomes another one, and no name has a number for a letter.
    for (let at = 0; at < name.length; at += 1) shortBytes[at] = name.charCodeAt(at) > 0x7f ? 0 : name.charCodeAt(at);
    const chain = chains.names.find(shortView, 0, name.length);
    return chain !== -1 && isLeftOut(chain) ? chain : -1;
  };
  return {
    end: chains.names.count(),
    numbers: function* () {
      for (let chain = 0; chain < chains.names.count(); chain += 1) if (isLeftOut(chain)) yield chain;
    },
    find,
    hasText: (chain, wanted) => {
      const row = rowLength * chain;
      const length = (rows[row + natRow.bytes] as number) - 1;
      if (wanted.length !== length) return false;
      if (length * bytesPerUnit > scratch.length) {
        scratch = newBlock(2 * length * bytesPerUnit);
        scratchView = viewOf(scratch);
      }
      // Where a character takes more than one byte the text is none of these.
      if (writeText(scratch, wanted, 0) !== length) return false;
      return areSameBytes(scratchView, 0, view, rows[row + natRow.start] as number, length);
    },
    kindOf: (chain) => kinds.get(view.getInt32((rows[rowLength * chain] as number) + 4)) as ServiceChainKind,
    lineOf: (chain) => lineOf(2 * chain),
    chainAt,
    rankOf: (chain) => {
      const number = find(chain.name);
      return number === -1 ? firstNamed(chain) : lineOf(2 * number);
    },
    others,
    uses: () => {
      uses ??= usesInBytes(text, leftOut, chainAt);
      return uses;
    },
  };
}

/** By the letters behind `KUBE`. */
const kinds = new Map(
  Object.entries(chainPrefixes).map(([kind, prefix]) => [word(prefix.slice(4, 8)), kind as ServiceChainKind]),
);

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;

/** Names of chains of Services are shorter. */
const longestName = 64;

/** Twice as many numbers as there are chains: the lines of the declaration and of the first rule of each that is left out. */
function lineNumbers(text: Uint8Array, leftOut: LeftOutChains): Int32Array {
  const { names, parts } = leftOut.chains;
  const numbers = new Int32Array(2 * names.count());
  let line = 1;
  let from = 0;
  for (let at = 0; at < 2 * parts.count; at += 2) {
    const [place, part] = [parts.list[at] as number, parts.list[at + 1] as number];
    if (!leftOut.isLeftOut(part >> 1)) continue;
    for (; from < place; from += 1) if (text[from] === lineBreak) line += 1;
    numbers[part] = line;
    line += linesOf(leftOut, part);
    from = place + bytesOf(leftOut, part);
  }
  return numbers;
}

const lineBreak = 0x0a;
