import type { Family } from './family.ts';

/** Every address of a family. */
export function wholeRange(family: Family): string {
  return family === 'ipv4' ? '0.0.0.0/0' : '::/0';
}

/** The addresses by which a machine reaches itself alone (RFC 1122, RFC 4291). */
export function loopbackRange(family: Family): string {
  return family === 'ipv4' ? '127.0.0.0/8' : '::1/128';
}
