import { protocolsByWord } from '../../common/addresses/protocol.ts';
import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { LeavingPacket, PolicyStop } from '../../pipeline/policyStops.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { arrives, type TracedOutcome } from '../../trace/traceResult.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** The rules that are walked let the packet pass, and policies of the objects stop it where those rules do not show them. */
export function stoppedByPolicies(outcome: TracedOutcome, { result, known }: WhyQuestion): CauseDraft | undefined {
  const { judgePolicies } = known;
  if (judgePolicies === undefined || !arrives(outcome.first.end)) return undefined;
  const packet = leaving(outcome, addressText(result.packet.source));
  const stop = packet && judgePolicies.stop(packet);
  if (stop === undefined) return undefined;
  const isUnknown = stop.isUnknown || !stop.isEnforced;
  return {
    code: 'network-policy',
    what: sentenceOf(stop),
    evidence: [],
    fix: '`k8snet policy test` with the same --from and --to judges both ends.',
    ...(isUnknown && { isUnknown }),
  };
}

/** Rules of policies deny a packet that the policies of the objects let pass. */
export function isAllowedByPolicies(outcome: TracedOutcome, { result, known }: WhyQuestion): boolean {
  const packet = leaving(outcome, addressText(result.packet.source));
  return packet !== undefined && known.judgePolicies?.allow(packet) === true;
}

function sentenceOf({ pod, elsewhere, isUnknown, isEnforced, reason }: PolicyStop): string {
  const where = `at Pod ${escapeText(pod)}${elsewhere === undefined ? '' : ` on node ${escapeText(elsewhere)}`}`;
  const why = escapeText(reason);
  if (isUnknown) return `Whether policies let it pass ${where} is unknown: ${why}.`;
  if (isEnforced) return `Policies stop it ${where}, whose rules are not those walked here: ${why}.`;
  return `By the objects policies stop it ${where}: ${why}. The rules given enforce no policies. A network plug-in may do so without rules, as Cilium does.`;
}

function leaving({ first }: TracedOutcome, sender: string): LeavingPacket | undefined {
  const { source, destination, destinationPort, protocol } = first.flow.packet;
  const [from, to, number] = [source, destination, protocol].map(onlyValue);
  if (from === undefined || to === undefined || number === undefined) return undefined;
  const port = portOf(destinationPort);
  if (port === undefined) return undefined;
  return {
    sender,
    source: addressText(from),
    destination: addressText(to),
    protocol: protocolOf(Number(number)),
    port,
  };
}

/** 0: the protocol has no ports; undefined: it may be any. */
function portOf(ports: ValueSet | undefined): number | undefined {
  if (ports === undefined) return 0;
  const only = onlyValue(ports);
  return only === undefined ? undefined : Number(only);
}

function protocolOf(number: number): LeavingPacket['protocol'] {
  const word = protocolName(number);
  return protocolsByWord.get(word) ?? (word.startsWith('icmp') ? 'ICMP' : 'other');
}
