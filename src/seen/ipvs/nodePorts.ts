import type { Protocol } from '../../common/addresses/protocol.ts';
import type { TrafficPolicy } from '../ports/seenPort.ts';
import { answeringAddresses } from './answeringAddresses.ts';
import type { IpvsFacts } from './ipvsFacts.ts';
import { isAtNodePort } from './isAtNodePort.ts';
import { type Servers, serversAt } from './serviceDraft.ts';

/** A node port that sets and virtual servers show. */
export interface NodePort {
  readonly protocol: Protocol;
  readonly number: number;
  readonly policy: TrafficPolicy;
  readonly servers: Servers;
}

export function nodePortsOf(facts: IpvsFacts): readonly NodePort[] {
  if (!facts.hasSets) return nodePortsOfServers(facts);
  const addresses = answeringAddresses(facts);
  return sets.flatMap(([protocol, every, local]) => {
    const isLocal = new Set(facts.members(local).map(({ port }) => port));
    const numbers = [...new Set(facts.members(every).map(({ port }) => port))];
    return numbers.flatMap((number): NodePort | [] => {
      const ip = addresses.find((one) => facts.server({ ip: one, protocol, port: number }) !== undefined);
      // A set may belong to both families.
      if (ip === undefined && facts.hasServers) return [];
      const servers = serversAt(facts, { ip: ip ?? '', protocol, port: number });
      return { protocol, number, policy: isLocal.has(number) ? 'Local' : 'Cluster', servers };
    });
  });
}

/** The policy does not show there. */
function nodePortsOfServers(facts: IpvsFacts): readonly NodePort[] {
  const found = new Map<string, NodePort>();
  for (const { address } of facts.servers) {
    const { protocol, port: number } = address;
    const key = `${protocol} ${number}`;
    if (found.has(key) || !isAtNodePort(facts, address)) continue;
    found.set(key, { protocol, number, policy: 'Cluster', servers: serversAt(facts, address) });
  }
  return [...found.values()];
}

const sets = [
  ['TCP', 'nodePortTCP', 'nodePortLocalTCP'],
  ['UDP', 'nodePortUDP', 'nodePortLocalUDP'],
  ['SCTP', 'nodePortSCTPHash', 'nodePortLocalSCTPHash'],
  ['SCTP', 'nodePortSCTP', 'nodePortLocalSCTP'],
] as const;
