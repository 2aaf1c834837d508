import { addressText } from '../../walk/values/text.ts';
import type { HostPod } from '../question/namedThings.ts';
import { readParty } from '../question/readParty.ts';
import type { WhoisFact } from './whoisFact.ts';

/** A Pod that shares the network of its node, by its name: its addresses are the node's. */
export function hostPodFacts(name: string, pods: () => readonly HostPod[]): readonly WhoisFact[] {
  const party = readParty(name);
  if (party?.kind !== 'object' || party.of === 'service') return [];
  return pods()
    .filter((pod) => pod.name === party.name)
    .map(({ name: pod, node, addresses }): WhoisFact => {
      const own = addresses.length === 0 ? '' : ` (${addresses.map(addressText).join(', ')})`;
      const whose = node === undefined ? 'its node' : `node ${node}`;
      return { kind: 'pod', sentence: `${pod} is a Pod with hostNetwork: it has the addresses of ${whose}${own}` };
    });
}
