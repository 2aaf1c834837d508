import { sha256 as portable } from '@noble/hashes/sha2.js';

/** Texts that are hashed without Node's module. */
const mostPortable = 60;

/** The SHA-256 of a text's UTF-8 as lower-case hexadecimal. */
export const sha256: (text: string) => string = hasher();

/**
 * Node's own hash, if there is one, once there is much to hash. A cluster has many chain names to hash, but loading
 * Node's module takes as long as hundreds of them.
 */
function hasher(): (text: string) => string {
  let few = mostPortable;
  let hash = portableHash;
  return (text) => {
    if (few > 0) {
      few -= 1;
      if (few === 0) hash = nodeHash() ?? portableHash;
    }
    return hash(text);
  };
}

/** Since 20.16 and 22.3 Node provides its modules without an import, which lets this file load in a browser too. */
function nodeHash(): ((text: string) => string) | undefined {
  const node = (globalThis as { process?: { getBuiltinModule?: (name: string) => unknown } }).process;
  const crypto = node?.getBuiltinModule?.('node:crypto') as
    | { hash?: (name: string, text: string) => string }
    | undefined;
  const hash = crypto?.hash;
  return hash && ((text) => hash('sha256', text));
}

function portableHash(text: string): string {
  let hex = '';
  for (const byte of portable(new TextEncoder().encode(text))) hex += byte.toString(16).padStart(2, '0');
  return hex;
}
