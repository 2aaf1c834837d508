import type { ConnectionState, ConnectionStatus } from '../../meaning.ts';

/** States of connections as nft names them, in the order in which it prints them. */
export const stateBits: ReadonlyMap<string, number> = new Map<ConnectionState, number>([
  ['invalid', 1],
  ['established', 2],
  ['related', 4],
  ['new', 8],
  ['untracked', 64],
]);

/** IPS_ of the kernel. */
export const statusBits: ReadonlyMap<string, number> = new Map<ConnectionStatus, number>([
  ['expected', 1],
  ['seen-reply', 2],
  ['assured', 4],
  ['confirmed', 8],
  ['snat', 0x10],
  ['dnat', 0x20],
  ['dying', 0x200],
]);
