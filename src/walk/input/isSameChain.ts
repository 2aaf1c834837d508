import type { WalkChain } from './walkInput.ts';

/** If the node's address was invented, the packet met the rules in another reading. */
export function isSameChain(a: WalkChain, b: WalkChain): boolean {
  const [one, other] = [a.table, b.table];
  return a.name === b.name && one.name === other.name && one.family === other.family && one.backend === other.backend;
}
