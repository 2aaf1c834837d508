import { sha256 as portable } from '@noble/hashes/sha2.js';

/** The SHA-256 of a text's UTF-8 as lower-case hexadecimal. Node's own where there is one: names of chains are many. */
export const sha256: (text: string) => string = nodeHash() ?? portableHash;

/** Node gives its modules without an import since 20.16 and 22.3, so that this file also loads in a browser. */
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
