import { endText } from '../../walk/text.ts';
import { onlyValue, type ValueSet } from '../../walk/valueSet.ts';
import { protocolName } from '../tracePacket.ts';
import type { TracedOutcome, TraceResult } from '../traceResult.ts';
import type { Draft } from './cause.ts';

/** What may be wrong behind rules that are right, and what to ask next. */
export function notTheRules(result: TraceResult): Draft {
  const remote = result.outcomes.find(({ first }) => first.end.kind === 'leaves');
  return {
    id: 'not-the-rules',
    sentence:
      'Where the rules of this node are right, look behind them: nothing listens on the target port, the Pod listens on another port or address, its own node drops the packet, or a firewall between the nodes does.',
    evidence: [],
    fix: `ss -ltnp in the Pod${remote === undefined ? '' : `; then ${nextQuestion(remote, result)} with the dump of the endpoint's node`}.`,
  };
}

/** The same packet as it comes to the next node. */
function nextQuestion({ first: { flow } }: TracedOutcome, { packet }: TraceResult): string {
  const end = (values: ValueSet, ports: ValueSet | undefined) =>
    endText(onlyValue(values), ports && (onlyValue(ports) ?? undefined));
  const { source, destination, destinationPort } = flow.packet;
  return `k8snet trace DUMP --from ${end(source, undefined)} --to ${end(destination, destinationPort)} --proto ${protocolName(packet.protocol)}`;
}
