import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { HostPort } from '../../model/hostPortsOf.ts';
import { isPortmapChain } from '../../netfilter/isPortmapChain.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { flowDestination } from '../../trace/show/flowDestination.ts';
import type { TracedOutcome } from '../../trace/traceResult.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';
import { isHostAddress } from '../../walk/isHostAddress.ts';
import { addressText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';
import type { CauseDraft } from '../cause.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** The host port that a packet is for, according to the objects. */
function hostPortAsked({ result: { packet }, known, input }: WhyQuestion): HostPort | undefined {
  const { hostPorts = [] } = known;
  if (hostPorts.length === 0 || !isHostAddress(packet.destination, input)) return undefined;
  const protocol = protocolName(packet.protocol);
  const address = addressText(packet.destination);
  const own = hostPorts.filter(
    (one) => one.port === packet.destinationPort && one.protocol === protocol && (one.ip ?? address) === address,
  );
  // A known Pod takes precedence over a possible one.
  return own.find(({ isPod }) => isPod) ?? own[0];
}

/** `80/tcp is the hostPort of Pod shop/web-0`. */
function hostPortText({ owner, isPod, isHostNetwork, port, protocol }: HostPort): string {
  const whose = isPod ? owner : `the Pods of ${owner}, where one runs on this node`;
  const what = isHostNetwork ? 'a port that hostNetwork opens for' : 'the hostPort of';
  return `${port}/${protocol} is ${what} ${whose}`;
}

/** A Pod with hostNetwork listens on the node itself. */
export function listeningPod(question: WhyQuestion): string | undefined {
  const asked = hostPortAsked(question);
  return asked?.isHostNetwork && asked.isPod ? hostPortText(asked) : undefined;
}

/** Nothing here takes the packet to the Pod with the port: the network plug-in does, by means that were not shown. */
export function unshownHostPort(question: WhyQuestion): CauseDraft | undefined {
  const asked = hostPortAsked(question);
  if (asked === undefined || (asked.isHostNetwork && asked.isPod)) return undefined;
  const { podIPs, containerPort, isHostNetwork } = asked;
  const target = podIPs[0] === undefined ? `port ${containerPort} of the Pod` : `${podIPs[0]}:${containerPort}`;
  const chain = portmapChains(question.input).find((name) => !/-(?:DN|HP)-/.test(name));
  const because =
    chain === undefined
      ? 'those were not shown: whether it does is unknown'
      : `its chain ${chain} has none for this port: whether it does otherwise is unknown`;
  return {
    code: 'not-asked-for',
    what: isHostNetwork
      ? `${hostPortText(asked)}: whether one does is unknown.`
      : `${hostPortText(asked)}: the network plug-in takes it to ${target}, by rules of its own, and ${because}.`,
    evidence: [],
    fix: 'See where the Pod runs: `kubectl get pods -A -o wide --field-selector spec.nodeName=NODE`. `iptables -t nat -S CNI-HOSTPORT-DNAT` on the node lists what the plug-in portmap takes to Pods; give what `iptables-save` prints there.',
    isUnknown: true,
  };
}

function portmapChains({ tables }: WalkInput): readonly string[] {
  return tables.flatMap(({ chains, name: table }) => [...chains.keys()].filter((name) => isPortmapChain(name, table)));
}

/** What rules of the plug-in did with the packet: `hostPort 80/tcp of Pod shop/web-0 (10.244.1.7:80)`. */
export function hostPortMet({ first: { flow } }: TracedOutcome, question: WhyQuestion): string | undefined {
  if (!trailItems(flow.path).some(isByPortmap)) return undefined;
  const { result, input } = question;
  const { destinationPort, protocol } = result.packet;
  const to = onlyValue(flow.packet.destination);
  const pod = input.topology.pods.find(
    ({ addresses, name }) => to !== undefined && addresses.includes(to) && name.includes('/'),
  );
  const asked = hostPortAsked(question);
  const whose =
    pod === undefined ? (asked === undefined || asked.isPod ? 'a Pod' : `a Pod of ${asked.owner}`) : `Pod ${pod.name}`;
  return `hostPort ${destinationPort}/${protocolName(protocol)} of ${whose} (${flowDestination(flow)})`;
}

/** A rule of the plug-in translates the destination. */
function isByPortmap({ chain, action = '' }: WalkEvent): boolean {
  return isPortmapChain(chain.name, chain.table.name) && /^(?:dnat|redirect)\b/.test(action);
}
