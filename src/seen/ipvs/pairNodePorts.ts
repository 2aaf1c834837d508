import { addTo } from '../../common/addTo.ts';
import type { TrafficPolicy } from '../ports/seenPort.ts';
import { type Fit, fits } from './fitOf.ts';
import { fitOfNodePort } from './fitOfNodePort.ts';
import { putNodePort } from './matchNodePorts.ts';
import type { NodePort } from './nodePorts.ts';
import type { FamilyDrafts, PortDraft, ServiceDraft } from './serviceDraft.ts';

/** Node ports of one family that are not assigned yet. */
export interface FreeNodePorts {
  readonly family: FamilyDrafts;
  readonly free: Set<NodePort>;
}

/** A node port that both families have. */
interface Pair {
  readonly four: NodePort;
  readonly six: NodePort;
}

/**
 * A node port belongs to one Service: if both families have it, both have that Service, with the same ports. Assigns
 * such node ports to a Service in each family and joins these two.
 */
export function pairNodePorts(four: FreeNodePorts, six: FreeNodePorts): void {
  const inSix = new Map([...six.free].map((nodePort) => [keyOf(nodePort), nodePort]));
  const open = new Set<Pair>();
  for (const nodePort of four.free) {
    const other = inSix.get(keyOf(nodePort));
    if (other !== undefined) open.add({ four: nodePort, six: other });
  }
  if (open.size === 0) return;
  const sixByPorts = new Map<string, ServiceDraft[]>();
  for (const draft of six.family.drafts) addTo(sixByPorts, portsOf(draft), draft);
  const byServers = new Map<string, Pair[]>();
  for (const pair of open) addTo(byServers, serversOf(pair), pair);
  for (const least of fits) {
    for (const one of inTurn(four.family.drafts)) {
      if (open.size === 0) return;
      for (const other of alikeFirst(one, sixByPorts.get(portsOf(one)) ?? [])) {
        const likely = (at: number): Iterable<Pair> =>
          least === 4 ? (byServers.get(servedBy(one.ports[at], other.ports, at)) ?? []) : open;
        if (unite(one, other, { four, six }, open, likely, least)) break;
      }
    }
  }
}

function keyOf({ protocol, number }: NodePort): string {
  return `${protocol} ${number}`;
}

function portsOf({ ports }: ServiceDraft): string {
  return ports
    .map(({ protocol, port }) => `${protocol} ${port}`)
    .sort()
    .join();
}

function serversOf({ four, six }: Pair): string {
  return `${four.protocol} ${four.servers.key}|${six.servers.key}`;
}

function servedBy(one: PortDraft | undefined, others: readonly PortDraft[], at: number): string {
  const other = one && partnerOf(one, others, at);
  return `${one?.protocol} ${(one?.external ?? one?.servers)?.key}|${(other?.external ?? other?.servers)?.key}`;
}

/** Sets do not keep the order of ports. */
function partnerOf(one: PortDraft, others: readonly PortDraft[], at: number): PortDraft | undefined {
  const isSame = (other: PortDraft | undefined) => other?.protocol === one.protocol && other.port === one.port;
  return isSame(others[at]) ? others[at] : others.find(isSame);
}

function inTurn(drafts: readonly ServiceDraft[]): readonly ServiceDraft[] {
  const rank = ({ externalPolicy }: ServiceDraft) => Number(externalPolicy !== undefined);
  return [...drafts].sort((a, b) => rank(b) - rank(a) || b.ports.length - a.ports.length);
}

/** A Service with load-balancer addresses usually has some in both families. */
function alikeFirst(one: ServiceDraft, others: readonly ServiceDraft[]): readonly ServiceDraft[] {
  if (others.length < 2) return others;
  const isAlike = ({ loadBalancerIPs }: ServiceDraft) => loadBalancerIPs.length > 0 === one.loadBalancerIPs.length > 0;
  return [...others].sort((a, b) => Number(isAlike(b)) - Number(isAlike(a)));
}

/** Whether the two are one Service now, with a node port for each of its ports. */
function unite(
  one: ServiceDraft,
  other: ServiceDraft,
  { four, six }: { readonly four: FreeNodePorts; readonly six: FreeNodePorts },
  open: Set<Pair>,
  likely: (at: number) => Iterable<Pair>,
  least: Fit,
): boolean {
  const isTaken = [one, other].some(({ ports }) => ports.some(({ nodePort }) => nodePort !== undefined));
  const policies = new Set([one.externalPolicy, other.externalPolicy].filter((policy) => policy !== undefined));
  if (isTaken || other.twin !== undefined || policies.size > 1) return false;
  let policy: TrafficPolicy | undefined = [...policies][0];
  const chosen: Pair[] = [];
  for (const [at, port] of one.ports.entries()) {
    const partner = partnerOf(port, other.ports, at);
    if (partner === undefined || partner.servers.seconds !== port.servers.seconds) return false;
    let found: Pair | undefined;
    for (const pair of likely(at)) {
      if (!open.has(pair) || chosen.includes(pair)) continue;
      if (fitOfNodePort(one, port, pair.four, policy, four.family) < least) continue;
      if (fitOfNodePort(other, partner, pair.six, policy, six.family) < least) continue;
      found = pair;
      break;
    }
    if (found === undefined) return false;
    policy ??= found.four.policy;
    chosen.push(found);
  }
  other.twin = one;
  for (const [at, pair] of chosen.entries()) {
    open.delete(pair);
    four.free.delete(pair.four);
    six.free.delete(pair.six);
    const port = one.ports[at] as PortDraft;
    putNodePort(one, port, pair.four);
    putNodePort(other, partnerOf(port, other.ports, at) as PortDraft, pair.six);
  }
  return true;
}
