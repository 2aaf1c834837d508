import type { WalkEvent } from '../../walk/flow.ts';
import { isHostAddress } from '../../walk/isHostAddress.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { evidenceOf, fact } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** The packet is a DNS query to an address of NodeLocal DNSCache, according to the cache's rules on this node. */
export function asksDnsCache({ result: { packet }, known }: WhyQuestion): boolean {
  return packet.destinationPort === 53 && known.dnsCache?.includes(packet.destination) === true;
}

/** The cache's rules exempt the packet from tracking, and no interface has the address: nobody answers. */
export function withoutDnsCache(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  const untracked = events.find(({ action }) => action === 'notrack');
  const { destination } = question.result.packet;
  if (untracked === undefined || !asksDnsCache(question) || isHostAddress(destination, question.input))
    return undefined;
  const address = addressText(destination);
  return {
    code: 'somebody-in-front',
    what: `Rules of NodeLocal DNSCache exempt the packet from connection tracking, so that only the cache can answer at ${address}, and no interface of this node has that address: the cache does not run here.`,
    evidence: [...evidenceOf(untracked), fact(`no interface has ${address}`)],
    fix: 'See the Pod of the cache: `kubectl -n kube-system get pods -l k8s-app=node-local-dns -o wide --field-selector spec.nodeName=NODE`. It writes these rules and makes the interface (`ip addr show nodelocaldns`). If the cache was taken off this node for good, its rules are left over: `iptables -t raw -S` lists them.',
  };
}
