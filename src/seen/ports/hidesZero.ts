import type { Family } from '../../common/addresses/family.ts';
import { holdsNode } from './holdsNode.ts';
import type { SeenSources } from './seenPort.ts';

/**
 * The rules let the node's own packets pass, and no visible range contains the node: there is a hidden range of all
 * addresses.
 */
export function hidesZero(sources: SeenSources, nodeIP: string | undefined, family: Family): boolean {
  return sources.own === 'apart' && sources.mayHideZero === true && !holdsNode(sources.ranges, nodeIP, family);
}
