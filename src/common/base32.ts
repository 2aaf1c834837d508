import { sha256 } from './sha256.ts';

/**
 * The first `length` characters (at most 48) of the SHA-256 of `text` in RFC 4648 base32; kube-proxy names its chains
 * this way. It takes twenty bits at a time from hexadecimal text, in half the time of a loop over bytes: this runs once
 * for every chain of a cluster.
 */
export function base32Prefix(text: string, length: number): string {
  const digest = sha256(text);
  let whole = '';
  for (let at = 0; whole.length < length; at += 5) {
    let bits = 0;
    for (let digit = at; digit < at + 5; digit += 1) bits = (bits << 4) | hexValue(digest.charCodeAt(digit));
    whole += (pairs[bits >> 10] as string) + (pairs[bits & 0x3ff] as string);
  }
  return whole.length === length ? whole : whole.slice(0, length);
}

/**
 * Writes the same characters as bytes; `length` is a multiple of four. Use it for many names that are only printed: it
 * makes no text of them.
 */
export function writeBase32(text: string, length: number, bytes: Uint8Array, start: number): void {
  const digest = sha256(text);
  for (let at = 0, letter = start; letter < start + length; at += 5, letter += 4) {
    let bits = 0;
    for (let digit = at; digit < at + 5; digit += 1) bits = (bits << 4) | hexValue(digest.charCodeAt(digit));
    bytes[letter] = letters[bits >> 15] as number;
    bytes[letter + 1] = letters[(bits >> 10) & 31] as number;
    bytes[letter + 2] = letters[(bits >> 5) & 31] as number;
    bytes[letter + 3] = letters[bits & 31] as number;
  }
}

/**
 * The value of a lower-case hexadecimal digit. Cutting digits out and parsing them takes as long as the hash itself.
 */
function hexValue(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Two characters for every ten bits. */
const pairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
);

const letters = Uint8Array.from(alphabet, (letter) => letter.charCodeAt(0));
