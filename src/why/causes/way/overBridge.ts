import { onlyValue } from '../../../common/ranges/valueSet.ts';
import { findingCatalogue } from '../../../problems/findingCatalogue.ts';
import type { TracedOutcome } from '../../../trace/traceResult.ts';
import type { WalkInput } from '../../../walk/input/walkInput.ts';
import { addressText } from '../../../walk/values/text.ts';
import type { CauseDraft } from '../../cause.ts';
import { fact } from '../../evidence.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/**
 * An endpoint on the sender's bridge answers it directly, past the rules that would translate the reply back (K8N515).
 */
export function overBridge(
  { first, reply }: TracedOutcome,
  { result, input, known }: WhyQuestion,
): CauseDraft | undefined {
  const { family, origin, source } = result.packet;
  const setting = family === 'ipv6' ? 'net.bridge.bridge-nf-call-ip6tables' : 'net.bridge.bridge-nf-call-iptables';
  const to = onlyValue(first.flow.packet.destination);
  if (origin === 'local' || to === undefined || input.topology.sysctls.get(setting) !== 0) return undefined;
  if (!hasVethPorts(input)) return undefined;
  const fix = findingCatalogue.K8N515?.fix ?? '';
  const evidence = [fact(`${setting} is 0, or br_netfilter is not loaded`)];
  if (reply?.end.kind === 'bridged') {
    const sentence = `The answer is lost on its way back: ${addressText(to)} is on the sender's bridge, which hands the answer over without asking the rules. It comes from that address, and the sender asked another.`;
    return { code: 'way-back', what: sentence, evidence, fix };
  }
  const ranges = known.podRanges ?? [];
  const mayBePod = (address: typeof to) => ranges.some(({ first: low, last }) => low <= address && address <= last);
  const isPlaced = !input.topology.assumed.has('routes');
  if (isPlaced || !mayBePod(to) || !mayBePod(source) || isElsewhere(to, input)) return undefined;
  return {
    code: 'way-back',
    what: `Whether the answer comes back is unknown: it does not if ${addressText(to)} is on the sender's bridge, for bridges of this node do not ask the rules.`,
    evidence,
    fix,
    isUnknown: true,
  };
}

function hasVethPorts({ topology }: WalkInput): boolean {
  return [...topology.interfaces.values()].some(({ bridge }) => bridge !== undefined);
}

/** Objects show that the address belongs to a Pod on another node. */
function isElsewhere(address: number | bigint, { topology: { pods, node } }: WalkInput): boolean {
  const pod = pods.find(({ addresses }) => addresses.includes(address));
  return pod?.node !== undefined && node !== undefined && pod.node !== node;
}
