import { sameItems } from '../../../common/sameItems.ts';
import { decodeLatin1, decodeText } from '../../../common/text/textBytes.ts';
import { endpointChainLength } from '../../../netfilter/writeEndpointChain.ts';
import { joinedLines } from '../joinedLines.ts';
import type { PatternWords } from '../patterns/rulePattern.ts';
import type { SortedChains } from '../savedTable.ts';
import { type EndpointRecords, endpointRecordStore, readNumber, recordLayout } from './endpointRecords.ts';
import type { EndpointRules } from './endpointRules.ts';

/** Chains of endpoints, while Service ports come in any order. */
export interface SavedEndpoints {
  readonly add: (rules: EndpointRules) => void;
  /** Receives the lines of what was added. */
  readonly push: (line: string) => void;
  /** The chains in byte order. */
  readonly sorted: () => SortedChains;
}

type Writer = EndpointRules['write'];

/**
 * A large cluster has a chain for every endpoint. Its rules are made when they are printed: that is faster than keeping
 * them and finding them again.
 */
export function savedEndpoints(): SavedEndpoints {
  const lines = joinedLines();
  const store = endpointRecordStore();
  const writers: Writer[] = [];
  const numberOf = (writer: Writer) => {
    const known = writers.findIndex((own) => sameItems(own, writer));
    return known === -1 ? writers.push(writer) - 1 : known;
  };
  return {
    add: (rules) => store.add(rules, numberOf(rules.write)),
    push: lines.push,
    sorted: () => {
      const sorted = store.sorted();
      return { heads: headsOf(sorted), rules: rulesOf(sorted) };
    },
  };

  function* rulesOf(sorted: readonly EndpointRecords[]): Iterable<string> {
    for (const records of sorted) {
      const text = decodeLatin1(records.bytes, 0, records.end);
      for (let from = 0; from < records.starts.length; from += recordsAtOnce) {
        writeRules(records, records.starts.subarray(from, from + recordsAtOnce), text, writers);
        yield* lines.take();
      }
    }
  }
}

const recordsAtOnce = 256;

/**
 * Outside of the generator, because the engine does not make loops in it fast. `text` has a character for each byte.
 */
function writeRules({ bytes }: EndpointRecords, starts: Uint32Array, text: string, writers: readonly Writer[]): void {
  for (let index = 0; index < starts.length; index += 1) {
    const start = starts[index] as number;
    const addressStart = start + recordLayout.address;
    const nameStart = addressStart + readNumber(bytes, start + recordLayout.addressSize);
    const end = nameStart + readNumber(bytes, start + recordLayout.nameSize);
    const isAscii = bytes[start + recordLayout.isAscii] === 1;
    const address = isAscii ? text.slice(addressStart, nameStart) : decodeText(bytes, addressStart, nameStart);
    const words: PatternWords = {
      name: isAscii ? text.slice(nameStart, end) : decodeText(bytes, nameStart, end),
      chain: text.slice(start, start + endpointChainLength),
      target: '',
      ip: ipOf(address),
      address,
      share: '',
    };
    const write = writers[readNumber(bytes, start + recordLayout.writer)] as Writer;
    for (let at = 0; at < write.length; at += 1) (write[at] as Writer[number])(words);
  }
}

/** From `ip:port` or `[ip]:port`. */
function ipOf(address: string): string {
  let colon = address.length - 1;
  while (address.charCodeAt(colon) !== 0x3a) colon -= 1;
  return address.charCodeAt(0) === 0x5b ? address.slice(1, colon - 1) : address.slice(0, colon);
}

/** Chain lines, one for each name. */
function* headsOf(sorted: readonly EndpointRecords[]): Iterable<string> {
  for (const { bytes, starts, end } of sorted) {
    const text = decodeLatin1(bytes, 0, end);
    for (let from = 0; from < starts.length; from += recordsAtOnce) {
      yield headLines(bytes, starts, from, Math.min(from + recordsAtOnce, starts.length), text);
    }
  }
}

function headLines(bytes: Uint8Array, starts: Uint32Array, from: number, to: number, text: string): string {
  let lines = '';
  for (let index = from; index < to; index += 1) {
    const start = starts[index] as number;
    if (index > 0 && isSameName(bytes, starts[index - 1] as number, start)) continue;
    lines += `:${text.slice(start, start + endpointChainLength)} - [0:0]\n`;
  }
  return lines;
}

function isSameName(bytes: Uint8Array, one: number, other: number): boolean {
  // They begin alike: the last characters differ most.
  for (let at = endpointChainLength - 1; at >= 0; at -= 1) {
    if (bytes[one + at] !== bytes[other + at]) return false;
  }
  return true;
}
