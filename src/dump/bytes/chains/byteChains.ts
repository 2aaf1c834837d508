import { decodeLatin1, newBlock, writeText } from '../../../common/text/textBytes.ts';
import { chainPrefixes, type ServiceChainKind } from '../../../netfilter/proxyChains.ts';
import type { ByteChains, ByteUses } from '../../../node/chains/byteChains.ts';
import { newChain } from '../../../node/chains/chainDraft.ts';
import { firstNamed } from '../../../node/chains/chainsInOrder.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { areSameBytes } from '../areSameBytes.ts';
import type { LongDumpIndex } from '../indexLongDump.ts';
import type { ByteTargets } from '../targetsInBytes.ts';
import { usualChains } from '../usualChains.ts';
import { viewOf } from '../viewOf.ts';
import { chainTable, rowLength } from './chainTable.ts';
import { isPlainChain, kindWord, natRow } from './natChains.ts';

/** The chains of a text that its excerpt leaves out; `others` are those of the excerpt's nat table. */
export function byteChains(index: LongDumpIndex, file: string, others: ReadonlyMap<string, RuleChain>): ByteChains {
  const { text, lines } = index;
  const names = chainTable(text, index.names);
  const { rows } = names;
  const isLeftOut = (chain: number) => isPlainChain(index.names, chain);
  const isAt = textsAt(text);
  const shortBytes = new Uint8Array(longestName);
  const shortView = viewOf(shortBytes);
  const asciiAt = (start: number, length: number) => decodeLatin1(text, start, start + length);
  const made: (RuleChain | undefined)[] = [];
  let uses: ByteUses | undefined;
  let { usual } = index;
  const lineOf = (part: number) => lines[part] as number;
  const chainAt = (chain: number) => {
    const known = made[chain];
    if (known !== undefined) return known;
    const row = rowLength * chain;
    const own = newChain(asciiAt(rows[row] as number, names.lengthOf(chain)), file);
    own.isDeclared = true;
    own.declaredAt = lineOf(2 * chain);
    own.firstLine = lineOf(2 * chain + 1);
    own.text = asciiAt(rows[row + natRow.start] as number, (rows[row + natRow.bytes] as number) - 1);
    made[chain] = own;
    return own;
  };
  const find = (name: string) => {
    if (name.length > longestName) return -1;
    // A letter beyond ASCII becomes another one, but names contain none.
    for (let at = 0; at < name.length; at += 1) shortBytes[at] = name.charCodeAt(at) > 0x7f ? 0 : name.charCodeAt(at);
    const chain = names.find(shortView, 0, name.length);
    return chain !== -1 && isLeftOut(chain) ? chain : -1;
  };
  return {
    end: names.count(),
    numbers: function* (isWanted) {
      const end = names.count();
      for (let chain = 0; chain < end; chain += 1) {
        if (isLeftOut(chain) && (isWanted === undefined || isWanted(chain))) yield chain;
      }
    },
    find,
    hasText: (chain, wanted) => {
      const row = rowLength * chain;
      return isAt(rows[row + natRow.start] as number, (rows[row + natRow.bytes] as number) - 1, wanted);
    },
    isUsual: (chain) => {
      usual ??= usualChains(text, names, isLeftOut);
      return usual[chain] === 1;
    },
    kindOf: (chain) => kinds.get(rows[rowLength * chain + natRow.kind] as number) as ServiceChainKind,
    lineOf: (chain) => lineOf(2 * chain),
    chainAt,
    rankOf: (chain) => {
      const number = find(chain.name);
      return number === -1 ? firstNamed(chain) : lineOf(2 * number);
    },
    others,
    uses: () => {
      uses ??= usesOf(index.targets, chainAt);
      return uses;
    },
  };
}

/** Whether so many bytes at a place of the text are exactly those of a string. */
function textsAt(text: Uint8Array): (at: number, length: number, wanted: string) => boolean {
  const view = viewOf(text);
  let scratch = newBlock(0);
  let scratchView = viewOf(scratch);
  return (at, length, wanted) => {
    if (wanted.length !== length) return false;
    if (length * bytesPerUnit > scratch.length) {
      scratch = newBlock(2 * length * bytesPerUnit);
      scratchView = viewOf(scratch);
    }
    // If a character takes more than one byte, the text is not one of these.
    return writeText(scratch, wanted, 0) === length && areSameBytes(scratchView, 0, view, at, length);
  };
}

function usesOf({ used, others }: ByteTargets, chainAt: (chain: number) => RuleChain): ByteUses {
  const uses = others.map(({ name, chain, at }) => [name, { chain: chainAt(chain), at }] as const);
  return { isUsed: (chain) => used[chain] === 1, others: new Map(uses) };
}

const kinds = new Map((Object.keys(chainPrefixes) as ServiceChainKind[]).map((kind) => [kindWord(kind), kind]));

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;

/** Names of chains of Services are shorter. */
const longestName = 64;
