import type { QuietPod } from '../../model/quietPodsOf.ts';
import { addressText } from '../../walk/values/text.ts';
import { readParty } from '../question/readParty.ts';
import type { WhoisFact } from './whoisFact.ts';

/** A Pod that has no address yet, or has none any more because it has ended: by its name, or by the address that it had. */
export function quietPodFacts(name: string, pods: readonly QuietPod[]): readonly WhoisFact[] {
  const party = readParty(name);
  return pods.flatMap((pod): WhoisFact[] => {
    const isNamed = party?.kind === 'object' && party.of !== 'service' && party.name === pod.name;
    const isAddressed = pod.isFinished && party?.kind === 'address' && pod.ips.includes(addressText(party.address));
    if (!isNamed && !isAddressed) return [];
    const on = pod.node === undefined ? '' : ` on node ${pod.node}`;
    const sentence = isAddressed
      ? `${name} was the address of the Pod ${pod.name}${on}, which has ended: nobody has it now`
      : pod.isFinished
        ? `${pod.name} is a Pod${on} that has ended: nothing reaches it any more`
        : `${pod.name} is a Pod${on} of which the input shows no address`;
    return [{ kind: 'pod', sentence }];
  });
}
