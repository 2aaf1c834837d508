import { ipPort } from '../../../common/addresses/ipPort.ts';
import { addTo } from '../../../common/addTo.ts';
import { count } from '../../../common/text/count.ts';
import type { Connection, NodeRules } from '../../../node/nodeRules.ts';
import { listOf } from '../../explain/listOf.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { FlowService, FlowServices } from './flowServices.ts';

/**
 * K8N513: TCP connections to a Service that nobody answers, because they are led to an address that is not an endpoint,
 * or nowhere although there are endpoints. One finding for each Service port and address. A connection that waits for
 * an endpoint is a remark: the rules worked.
 */
export function silentConnections(
  { connections }: Pick<NodeRules, 'connections'>,
  services: FlowServices,
): readonly Finding[] {
  const groups = new Map<FlowService, Map<string, Connection[]>>();
  for (const connection of connections) {
    const found = silentAt(connection, services);
    if (found === undefined) continue;
    const own = groups.get(found.service) ?? new Map<string, Connection[]>();
    groups.set(found.service, own);
    addTo(own, found.to, connection);
  }
  return [...groups].flatMap(([service, byAddress]) => [...byAddress].map(([to, all]) => findingOf(service, to, all)));
}

const tcp = 6;
const untranslated = '';

function silentAt({ flow }: Connection, { entrances, nodeAddresses }: FlowServices) {
  const { original, reply, isUnreplied, protocol } = flow;
  if (protocol !== tcp || !isUnreplied || flow.isInZone) return undefined;
  const direct = entrances.get(`${original.destination} ${original.destinationPort}`);
  const entrance = direct ?? entrances.get(`* ${original.destinationPort}`);
  if (entrance === undefined) return undefined;
  const { service } = entrance;
  if (reply.source !== original.destination || reply.sourcePort !== original.destinationPort) {
    return { service, to: `${reply.source} ${reply.sourcePort}` };
  }
  // IPVS translates without conntrack, and another host's node port does not concern this node.
  const isOurs = direct !== undefined || nodeAddresses.has(original.destination);
  if (!isOurs || service.isIpvs || !entrance.isOpen || service.endpoints.size === 0) return undefined;
  return { service, to: untranslated };
}

function findingOf(service: FlowService, to: string, all: readonly Connection[]): Finding {
  const [ip = '', port = ''] = to.split(' ');
  const targets = all.map(({ flow: { original } }) => ipPort(original.destination, original.destinationPort));
  const isOne = all.length === 1;
  const what = `${count(all.length, 'connection')} to ${listOf([...new Set(targets)])}`;
  const parts = {
    ...(service.name !== undefined && { service: service.name }),
    places: service.origin === undefined ? [] : [service.origin],
    found: all.slice(0, mostPlaces).map(({ file, flow }) => ({ file, line: flow.line })),
  };
  if (to === untranslated) {
    const seen = `${what} ${isOne ? 'was' : 'were'} not translated, although there ${service.endpoints.size === 1 ? 'is an endpoint' : `are ${service.endpoints.size} endpoints`}: nothing answers`;
    return makeFinding('K8N513', { ...parts, what: seen });
  }
  const address = ipPort(ip, Number(port));
  if (!service.endpoints.has(to)) {
    const seen = `${what} ${isOne ? 'waits' : 'wait'} for ${address}, which is not an endpoint`;
    return makeFinding('K8N513', { ...parts, what: seen });
  }
  const seen = `${what} ${isOne ? 'waits' : 'wait'} for the endpoint ${address}, which has not answered yet`;
  return makeFinding('K8N513', { ...parts, what: seen, ...answerless, names: { address: ip, port: Number(port) } });
}

const mostPlaces = 20;

const answerless = {
  severity: 'info',
  isAdvice: true,
  why: 'The rules led the connection to an endpoint. What does not answer is the Pod, or the way to it and back: routes, a firewall, a NetworkPolicy.',
  fix: 'Ask the endpoint itself, from this node: `curl -m 3 ADDRESS:PORT`. Nothing to do if the entry is gone the next time.',
} as const;
