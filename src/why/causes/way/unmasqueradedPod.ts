import { onlyValue } from '../../../common/ranges/valueSet.ts';
import type { TracedOutcome } from '../../../trace/traceResult.ts';
import { isTranslated } from '../../../walk/ask/isTranslated.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { isPrivate } from '../../isPrivate.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/** A Pod sends to an internet address from its own private one: no router out there knows the way back. */
export function unmasqueradedPod({ first }: TracedOutcome, { input, known }: WhyQuestion): CauseDraft | undefined {
  const { flow, end } = first;
  const source = onlyValue(flow.packet.source);
  const destination = onlyValue(flow.packet.destination);
  if (end.kind !== 'leaves' || source === undefined || destination === undefined) return undefined;
  if (isTranslated(flow.connection, 'source') || !isPrivate(source) || !isPublic(destination)) return undefined;
  const { pods, hosts } = input.topology;
  const isPods =
    pods.some(({ addresses }) => addresses.includes(source)) ||
    (known.podRanges ?? []).some(({ first: from, last }) => from <= source && source <= last);
  if (!isPods || [...pods, ...hosts].some(({ addresses }) => addresses.includes(destination))) return undefined;
  return {
    code: 'way-back',
    what: `The packet leaves with the Pod's own address ${addressText(source)}: no rule here masquerades it. The internet has no route back to a private address, so an answer comes only if a router behind this node translates it.`,
    evidence: [],
    fix: "kube-proxy does not masquerade what leaves the cluster; the network plug-in does (flannel's --ip-masq, Calico's natOutgoing, ip-masq-agent). Give the dump of the node to see its rules.",
    isUnknown: true,
  };
}

/** Neither private nor loopback, link-local or multicast. */
function isPublic(address: number | bigint): boolean {
  if (isPrivate(address)) return false;
  if (typeof address === 'bigint') return address >> 125n === 1n;
  const first = address >>> 24;
  return first !== 0 && first !== 127 && first < 224 && address >>> 16 !== 0xa9fe;
}
