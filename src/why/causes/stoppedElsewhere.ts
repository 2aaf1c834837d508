import { protocolsByWord } from '../../common/addresses/protocol.ts';
import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { LeavingPacket } from '../../pipeline/policiesElsewhere.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { arrives, type TracedOutcome } from '../../trace/traceResult.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** The rules of this node let the packet go, and policies stop it at a Pod of another node, by the same manifests. */
export function stoppedElsewhere(outcome: TracedOutcome, { result, known }: WhyQuestion): CauseDraft | undefined {
  const { judgeElsewhere } = known;
  if (judgeElsewhere === undefined || !arrives(outcome.first.end)) return undefined;
  const packet = leaving(outcome, addressText(result.packet.source));
  const stopped = packet && judgeElsewhere(packet);
  if (stopped === undefined) return undefined;
  const { pod, node, isUnknown, reason } = stopped;
  const where = `at Pod ${escapeText(pod)} on node ${escapeText(node)}`;
  return {
    code: 'network-policy',
    what: isUnknown
      ? `Whether policies let it pass ${where} is unknown: ${escapeText(reason)}.`
      : `Policies stop it ${where}, whose rules are not those walked here: ${escapeText(reason)}.`,
    evidence: [],
    fix: '`k8snet policy test` with the same --from and --to judges both ends.',
    ...(isUnknown && { isUnknown }),
  };
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
