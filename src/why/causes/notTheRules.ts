import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { hasPorts } from '../../trace/question/hasPorts.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import type { TracedOutcome, TraceResult } from '../../trace/traceResult.ts';
import type { Flow } from '../../walk/flow.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';

/** What may be wrong apart from correct rules, and what to check next. */
export function notTheRules(result: TraceResult, failing: readonly number[], input: WalkInput): CauseDraft {
  const remote = result.outcomes.find(
    // If masquerading chose the source among unknown addresses, no question can name it.
    ({ first: { end, flow } }, at) =>
      !failing.includes(at) &&
      end.kind === 'leaves' &&
      !isHere(flow, input) &&
      onlyValue(flow.packet.source) !== undefined,
  );
  const { protocol } = result.packet;
  const next =
    remote === undefined ? undefined : `${nextQuestion(remote, result)} with the dump of the endpoint's node`;
  const first = hasPorts(protocol)
    ? `See what listens: \`${listenersCommand(protocol)}\` in the Pod`
    : 'See whether the Pod answers a ping from its own node';
  return {
    code: 'not-the-rules',
    what: `Where the rules of this node are right, look behind them: ${hasPorts(protocol) ? 'nothing listens on the target port, the Pod listens on another port or address' : 'nothing answers at the address'}, its own node drops the packet, or a firewall between the nodes does.`,
    evidence: [],
    fix: `${first}${next === undefined ? '' : `; then ${next}`}.`,
  };
}

/** ss shows TCP, UDP and SCTP separately. */
function listenersCommand(protocol: number): string {
  return { 17: 'ss -lunp', 132: 'ss -lSnp' }[protocol] ?? 'ss -ltnp';
}

/** It is for a Pod on this node, according to known Pods or the interface: no other node is involved. */
function isHere({ packet, nextHop, outInterface }: Flow, { topology }: WalkInput): boolean {
  const to = onlyValue(packet.destination);
  const pod = topology.pods.find(({ addresses }) => to !== undefined && addresses.includes(to));
  if (pod?.node !== undefined && topology.node !== undefined) return pod.node === topology.node;
  const isWayOut = topology.routes.some(({ length, device }) => length === 0 && device === outInterface);
  return pod?.interface !== undefined || (nextHop === to && !isWayOut);
}

/** The same packet when it arrives at the next node. */
function nextQuestion({ first: { flow } }: TracedOutcome, { packet }: TraceResult): string {
  const end = (values: ValueSet, ports: ValueSet | undefined) =>
    endText(onlyValue(values), ports && (onlyValue(ports) ?? undefined));
  const { source, destination, destinationPort } = flow.packet;
  return `k8snet trace DUMP --from ${end(source, undefined)} --to ${end(destination, destinationPort)} --proto ${protocolName(packet.protocol)}`;
}
