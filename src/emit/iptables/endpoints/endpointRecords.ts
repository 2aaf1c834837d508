import { copyBytes, copyFewBytes, newBlock, writeText } from '../../../common/text/textBytes.ts';
import type { Endpoint } from '../../../model/endpoint.ts';
import { chainPrefixes } from '../../../netfilter/proxyChains.ts';
import { endpointChainLength } from '../../../netfilter/writeEndpointChain.ts';
import { endpointOrder } from './endpointOrder.ts';
import type { EndpointRules } from './endpointRules.ts';

/** Endpoints as bytes. */
export interface EndpointRecords {
  readonly bytes: Uint8Array;
  readonly end: number;
  /** Where records start. */
  readonly starts: Uint32Array;
}

export interface EndpointRecordStore {
  /** Adds endpoints; `writer` is a number that is kept with them. */
  readonly add: (rules: Omit<EndpointRules, 'write'>, writer: number) => void;
  /** All records, in byte order of their chains; those of one chain in the order in which they came. */
  readonly sorted: () => readonly EndpointRecords[];
}

/**
 * The places of a record's parts; the name of the Service port follows. `isAscii` is 1 if each byte of the texts is a
 * character; all other numbers take two bytes.
 */
export const recordLayout = {
  chain: 0,
  addressSize: endpointChainLength,
  nameSize: endpointChainLength + 2,
  writer: endpointChainLength + 4,
  isAscii: endpointChainLength + 6,
  address: endpointChainLength + 7,
} as const;

/**
 * Separated by the first letter of the hash, and with everything about one endpoint in one place: sorted reading does
 * not follow the order in memory, and cache misses take longer than everything else.
 */
export function endpointRecordStore(): EndpointRecordStore {
  const buckets: (Bucket | undefined)[] = [];
  let name = newBlock(0);
  return {
    add: ({ name: text, chains, endpoints }, writer) => {
      if (name.length < text.length * bytesPerUnit) name = newBlock(text.length * bytesPerUnit);
      const nameSize = writeText(name, text, 0);
      for (let index = 0; index < endpoints.length; index += 1) {
        const { address } = endpoints[index] as Endpoint;
        const chain = chains.start + index * endpointChainLength;
        const bucket = bucketOf(buckets, chains.bytes[chain + hashStart] as number);
        makeRoom(bucket, recordLayout.address + address.length * bytesPerUnit + nameSize);
        const { bytes, end } = bucket;
        const addressStart = end + recordLayout.address;
        const addressSize = writeAddress(bytes, address, addressStart);
        copyFewBytes(chains.bytes, chain, chain + endpointChainLength, bytes, end);
        copyFewBytes(name, 0, nameSize, bytes, addressStart + addressSize);
        writeNumber(bytes, end + recordLayout.addressSize, addressSize);
        writeNumber(bytes, end + recordLayout.nameSize, nameSize);
        writeNumber(bytes, end + recordLayout.writer, writer);
        bytes[end + recordLayout.isAscii] = addressSize === address.length && nameSize === text.length ? 1 : 0;
        bucket.end = addressStart + addressSize + nameSize;
        bucket.count += 1;
      }
    },
    sorted: () => buckets.flatMap((bucket) => (bucket === undefined ? [] : [sortedRecords(bucket)])),
  };
}

/** Records whose hashes begin with one letter. */
interface Bucket {
  bytes: Uint8Array;
  end: number;
  count: number;
}

const hashStart = chainPrefixes.endpoint.length;

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;
const leastRoom = 1 << 10;

function bucketOf(buckets: (Bucket | undefined)[], letter: number): Bucket {
  const known = buckets[letter];
  if (known !== undefined) return known;
  const added: Bucket = { bytes: newBlock(leastRoom), end: 0, count: 0 };
  buckets[letter] = added;
  return added;
}

function makeRoom(bucket: Bucket, more: number): void {
  if (bucket.end + more <= bucket.bytes.length) return;
  const larger = newBlock(Math.max(2 * bucket.bytes.length, bucket.end + more));
  copyBytes(bucket.bytes, 0, bucket.end, larger, 0);
  bucket.bytes = larger;
}

function sortedRecords({ bytes, end, count }: Bucket): EndpointRecords {
  const starts = new Uint32Array(count);
  for (let place = 0, start = 0; place < count; place += 1) {
    starts[place] = start;
    const sizes =
      readNumber(bytes, start + recordLayout.addressSize) + readNumber(bytes, start + recordLayout.nameSize);
    start += recordLayout.address + sizes;
  }
  return { bytes, end, starts: endpointOrder(bytes, starts) };
}

/** Returns the size. A call for each address takes several times as long. */
function writeAddress(bytes: Uint8Array, text: string, to: number): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 0x7f) return writeText(bytes, text, to);
    bytes[to + at] = code;
  }
  return text.length;
}

function writeNumber(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value & 0xff;
  bytes[at + 1] = value >> 8;
}

export function readNumber(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
}
