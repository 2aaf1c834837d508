import type { Family } from '../../common/family.ts';
import { holdsNode } from './holdsNode.ts';
import type { SeenSources } from './seenPort.ts';

/** The node's own packets pass, and no range that shows holds the node: a range of all addresses does not show. */
export function hidesZero(sources: SeenSources, nodeIP: string | undefined, family: Family): boolean {
  return sources.own === 'apart' && sources.mayHideZero === true && !holdsNode(sources.ranges, nodeIP, family);
}
