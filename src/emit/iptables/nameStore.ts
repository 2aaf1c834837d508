import { base32Prefix } from '../../common/base32.ts';
import { onDemand } from '../../common/onDemand.ts';
import { decodeLatin1, newBlock } from '../../common/text/textBytes.ts';
import { endpointChainLength, writeEndpointChain } from '../../netfilter/writeEndpointChain.ts';

/** Names of chains, a prefix and sixteen characters of a hash, in the order in which they were requested. */
export interface NameStore {
  /** The hash of the next Service port: read if an earlier run stored it, otherwise computed from its text. */
  readonly nextHash: (seed: string) => string;
  /** The names of the next endpoints, from the texts that are hashed, in the same way. */
  readonly next: (count: number, seed: (index: number) => string) => EndpointNames;
  /** Starts over, for another run. */
  readonly rewind: () => void;
}

/** Names of one Service port's KUBE-SEP chains. */
export interface EndpointNames {
  /** As bytes, `start` to `end`, with nothing between them. */
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
  readonly texts: () => readonly string[];
}

const hashLength = 16;

/** Names as bytes outside the garbage collector's heap: garbage collection copies strings that live on. */
export function nameStore(): NameStore {
  const hashes: string[] = [];
  let hashAt = 0;
  let bytes = newBlock(0);
  let stored = 0;
  let at = 0;
  return {
    nextHash: (seed) => {
      const known = hashes[hashAt] ?? base32Prefix(seed, hashLength);
      hashes[hashAt] = known;
      hashAt += 1;
      return known;
    },
    next: (count, seed) => {
      const start = at;
      at += count * endpointChainLength;
      if (at > stored) {
        if (at > bytes.length) bytes = grown(bytes, at);
        for (let index = 0; index < count; index += 1)
          writeEndpointChain(bytes, start + index * endpointChainLength, seed(index));
        stored = at;
      }
      return endpointNames(bytes, start, at);
    },
    rewind: () => {
      hashAt = 0;
      at = 0;
    },
  };
}

/** The same for a run that asks for the names of few endpoints: those of the others are not made. */
export function namesOnDemand(): NameStore {
  const { nextHash, rewind } = nameStore();
  return {
    nextHash,
    rewind,
    next: (count, seed) => {
      const made = onDemand({ names: () => nameStore().next(count, seed) });
      return {
        get bytes() {
          return made.names.bytes;
        },
        start: 0,
        end: count * endpointChainLength,
        texts: () => made.names.texts(),
      };
    },
  };
}

/** Names that stand in some bytes. */
export function endpointNames(bytes: Uint8Array, start: number, end: number): EndpointNames {
  let texts: string[] | undefined;
  return {
    bytes,
    start,
    end,
    texts: () => {
      if (texts !== undefined) return texts;
      texts = [];
      const text = decodeLatin1(bytes, start, end);
      for (let at = 0; at < text.length; at += endpointChainLength)
        texts.push(text.slice(at, at + endpointChainLength));
      return texts;
    },
  };
}

function grown(bytes: Uint8Array, size: number): Uint8Array {
  const larger = newBlock(Math.max(size, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
