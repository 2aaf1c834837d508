import { hash } from 'node:crypto';

/**
 * The first `length` characters (at most 48) of the RFC 4648 base32 spelling of the SHA-256 of `text`: kube-proxy names
 * its chains so. Twenty bits at a time from hexadecimal text: half the time of a loop over bytes, and this runs once
 * for every chain of a cluster.
 */
export function base32Prefix(text: string, length: number): string {
  const digest = hash('sha256', text);
  let encoded = '';
  for (let at = 0; encoded.length < length; at += 5) {
    const bits = Number.parseInt(digest.slice(at, at + 5), 16);
    encoded += pairs[bits >> 10];
    encoded += pairs[bits & 0x3ff];
  }
  return encoded.slice(0, length);
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Two characters for every ten bits. */
const pairs: readonly string[] = Array.from(
  { length: 1024 },
  (_, bits) => alphabet.charAt(bits >> 5) + alphabet.charAt(bits & 31),
);
