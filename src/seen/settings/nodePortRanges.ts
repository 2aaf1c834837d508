import type { Family } from '../../common/addresses/family.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { wholeRange } from '../../common/addresses/wholeRange.ts';
import type { SeenNodePorts } from './seenSettings.ts';

/**
 * Entries of nodePortAddresses that open node ports where the rules of a family show them open. `nowhere`: an entry that
 * holds no such address, where they are open on none.
 */
export function nodePortRanges(family: Family, nodePorts: SeenNodePorts, nowhere: string): readonly string[] {
  if (nodePorts.kind === 'any') return [wholeRange(family)];
  return nodePorts.addresses.length === 0 ? [nowhere] : nodePorts.addresses.map(hostCidr);
}
