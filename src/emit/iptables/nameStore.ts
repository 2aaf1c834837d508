import { writeBase32 } from '../../common/base32.ts';

/** Names of chains, `KUBE-SEP-` and sixteen characters of a hash, in the order in which they were asked for. */
export interface NameStore {
  /** Those of the next chains: read if an earlier run stored them, else computed from the texts that are hashed. */
  readonly next: (count: number, seed: (index: number) => string) => readonly string[];
  /** Starts over, for another run. */
  readonly rewind: () => void;
}

const prefix = 'KUBE-SEP-';
const hashLength = 16;
const nameLength = prefix.length + hashLength;

/** Names as bytes outside the garbage collector's heap: strings that live on are copied whenever memory is tidied. */
export function nameStore(): NameStore {
  let bytes = new Uint8Array(0);
  let stored = 0;
  let at = 0;
  return {
    next: (count, seed) => {
      const end = at + count * nameLength;
      if (end > stored) {
        if (end > bytes.length) bytes = grown(bytes, end);
        for (let index = 0; index < count; index += 1) writeName(bytes, at + index * nameLength, seed(index));
        stored = end;
      }
      const text = asciiText(bytes, at, end);
      at = end;
      const names: string[] = [];
      for (let start = 0; start < text.length; start += nameLength) names.push(text.slice(start, start + nameLength));
      return names;
    },
    rewind: () => {
      at = 0;
    },
  };
}

function grown(bytes: Uint8Array<ArrayBuffer>, size: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(size, bytes.length * 2));
  larger.set(bytes);
  return larger;
}

function writeName(bytes: Uint8Array, at: number, seed: string): void {
  for (let letter = 0; letter < prefix.length; letter += 1) bytes[at + letter] = prefix.charCodeAt(letter);
  writeBase32(seed, hashLength, bytes, at + prefix.length);
}

/** Browsers have no Buffer. */
function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (typeof Buffer === 'undefined') return new TextDecoder().decode(bytes.subarray(start, end));
  return Buffer.from(bytes.buffer, start, end - start).toString('latin1');
}
