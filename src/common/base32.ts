import { sha256 } from './sha256.ts';

/**
 * The first `length` characters (at most 48) of the RFC 4648 base32 spelling of the SHA-256 of `text`: kube-proxy names
 * its chains so. Twenty bits at a time from hexadecimal text: half the time of a loop over bytes, and this runs once
 * for every chain of a cluster.
 */
export function base32Prefix(text: string, length: number): string {
  return prefixedBase32('', text, length);
}

/**
 * The same behind a prefix: `KUBE-SVC-` and sixteen characters. Joined in one step, because a string that was put
 * together with `+` is kept in pieces, and names that are compared and hashed often are then slow.
 */
export function prefixedBase32(prefix: string, text: string, length: number): string {
  const digest = sha256(text);
  const parts = [prefix];
  for (let at = 0, encoded = 0; encoded < length; at += 5, encoded += 4) {
    let bits = 0;
    for (let digit = at; digit < at + 5; digit += 1) bits = (bits << 4) | hexValue(digest.charCodeAt(digit));
    parts.push(pairs[bits >> 10] as string, pairs[bits & 0x3ff] as string);
  }
  const whole = parts.join('');
  return whole.length === prefix.length + length ? whole : whole.slice(0, prefix.length + length);
}

/** Of a lower-case hexadecimal digit. Cutting digits out and parsing them takes as long as the hash itself. */
function hexValue(code: number): number {
  return code < 0x3a ? code - 0x30 : code - 0x57;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Two characters for every ten bits. */
const pairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
);
