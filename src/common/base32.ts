import { hash } from 'node:crypto';

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
  const digest = hash('sha256', text);
  const parts = [prefix];
  for (let at = 0, encoded = 0; encoded < length; at += 5, encoded += 4) {
    const bits = Number.parseInt(digest.slice(at, at + 5), 16);
    parts.push(pairs[bits >> 10] as string, pairs[bits & 0x3ff] as string);
  }
  const whole = parts.join('');
  return whole.length === prefix.length + length ? whole : whole.slice(0, prefix.length + length);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Two characters for every ten bits. */
const pairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
);
