import type { Protocol } from '../../common/addresses/protocol.ts';
import { addTo } from '../../common/addTo.ts';
import { type Fit, fits } from './fitOf.ts';
import { fitOfNodePort } from './fitOfNodePort.ts';
import type { NodePort } from './nodePorts.ts';
import type { FamilyDrafts, PortDraft, Servers, ServiceDraft } from './serviceDraft.ts';

/**
 * Assigns node ports of one family to its Services: either all ports of a Service have one, or none has. Services with
 * a known policy come first, and among them those of load balancers, which usually have node ports. Assigned node ports
 * are no longer `free`.
 */
export function matchNodePorts(family: FamilyDrafts, free: Set<NodePort>): void {
  const byServers = new Map<string, NodePort[]>();
  for (const nodePort of free) addTo(byServers, signature(nodePort.protocol, nodePort.servers), nodePort);
  for (const least of fits) {
    for (const draft of inTurn(family.drafts)) {
      if (free.size === 0) return;
      const likely = (port: PortDraft): Iterable<NodePort> =>
        least === 4 ? (byServers.get(signature(port.protocol, port.external ?? port.servers)) ?? []) : free;
      give(draft, free, likely, least, family);
    }
  }
  for (const nodePort of [...free]) giveToOne(family, nodePort, free);
}

function signature(protocol: Protocol, { key }: Servers): string {
  return `${protocol} ${key}`;
}

function inTurn(drafts: readonly ServiceDraft[]): readonly ServiceDraft[] {
  const rank = ({ loadBalancerIPs, externalPolicy }: ServiceDraft) =>
    loadBalancerIPs.length > 0 ? 2 : externalPolicy === undefined ? 0 : 1;
  return [...drafts].sort((a, b) => rank(b) - rank(a) || b.ports.length - a.ports.length);
}

/** A node port for each port of the Service, out of those that `likely` names; empty if one port finds none. */
function give(
  draft: ServiceDraft,
  free: Set<NodePort>,
  likely: (port: PortDraft) => Iterable<NodePort>,
  least: Fit,
  family: FamilyDrafts,
): void {
  if (draft.ports.some(({ nodePort }) => nodePort !== undefined)) return;
  const chosen: NodePort[] = [];
  for (const port of draft.ports) {
    const policy = draft.externalPolicy ?? chosen[0]?.policy;
    let found: NodePort | undefined;
    for (const nodePort of likely(port)) {
      if (!free.has(nodePort) || chosen.includes(nodePort)) continue;
      if (fitOfNodePort(draft, port, nodePort, policy, family) < least) continue;
      found = nodePort;
      break;
    }
    if (found === undefined) return;
    chosen.push(found);
  }
  for (const nodePort of chosen) free.delete(nodePort);
  for (const [at, nodePort] of chosen.entries()) {
    const port = draft.ports[at] as PortDraft;
    for (const other of likely(port)) if (free.has(other)) draft.isGuess = true;
    putNodePort(draft, port, nodePort);
  }
}

function giveToOne(family: FamilyDrafts, nodePort: NodePort, free: Set<NodePort>): void {
  for (const draft of family.drafts) {
    for (const port of draft.ports) {
      if (port.nodePort !== undefined) continue;
      if (fitOfNodePort(draft, port, nodePort, draft.externalPolicy, family) === 0) continue;
      free.delete(nodePort);
      putNodePort(draft, port, nodePort);
      return;
    }
  }
}

export function putNodePort(draft: ServiceDraft, port: PortDraft, { number, servers, policy }: NodePort): void {
  port.nodePort = number;
  port.external ??= servers;
  draft.externalPolicy ??= policy;
}
