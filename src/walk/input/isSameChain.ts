import type { WalkChain } from './walkInput.ts';

/** Where the node's address was made up, the packet met the rules as another reading of them. */
export function isSameChain(a: WalkChain, b: WalkChain): boolean {
  const [one, other] = [a.table, b.table];
  return a.name === b.name && one.name === other.name && one.family === other.family && one.backend === other.backend;
}
