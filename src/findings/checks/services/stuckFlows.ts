import { addTo } from '../../../common/addTo.ts';
import type { ConntrackFlow } from '../../../netfilter/conntrack/flow.ts';
import type { Connection, NodeRules } from '../../../node/nodeRules.ts';
import { listOf } from '../../explain/listOf.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { FlowEntrance, FlowService, FlowServices } from './flowServices.ts';

/**
 * K8N511: UDP flows for a Service that conntrack sends to a dead endpoint, or nowhere although there are endpoints now.
 * One finding for each Service port and dead endpoint, with the commands that delete its entries.
 */
export function stuckFlows(
  { connections }: Pick<NodeRules, 'connections'>,
  services: FlowServices,
): readonly Finding[] {
  const groups = new Map<FlowService, Map<string, Stuck[]>>();
  for (const connection of connections) {
    const stuck = stuckAt(connection, services);
    if (stuck === undefined) continue;
    const { service } = stuck.entrance;
    const ofService = groups.get(service) ?? new Map<string, Stuck[]>();
    groups.set(service, ofService);
    addTo(ofService, stuck.to, stuck);
  }
  return [...groups].flatMap(([service, dead]) => {
    const ips = new Set([...service.endpoints].map((endpoint) => endpoint.split(' ')[0]));
    return [...dead].map(([to, all]) =>
      to === untranslated ? neverTranslated(service, all) : onDeadEndpoint(service, to, all, ips),
    );
  });
}

interface Stuck extends Connection {
  readonly entrance: FlowEntrance;
  readonly isNodePort: boolean;
  /** The dead endpoint, as `10.244.3.9 53`. */
  readonly to: string;
}

const udp = 17;
const untranslated = '';

function stuckAt({ flow, file }: Connection, { entrances, nodeAddresses }: FlowServices): Stuck | undefined {
  const { original, reply, isUnreplied } = flow;
  if (flow.protocol !== udp) return undefined;
  const direct = entrances.get(`${original.destination} ${original.destinationPort}`);
  const entrance = direct ?? entrances.get(`* ${original.destinationPort}`);
  if (entrance === undefined || flow.isInZone) return undefined;
  const { endpoints, isIpvs } = entrance.service;
  const to = `${reply.source} ${reply.sourcePort}`;
  const stuck = { flow, file, entrance, isNodePort: direct === undefined };
  if (to === `${original.destination} ${original.destinationPort}`) {
    // IPVS translates without conntrack, and another host's node port does not concern this node.
    const isOurs = !stuck.isNodePort || nodeAddresses.has(original.destination);
    const isWrong = isUnreplied && isOurs && !isIpvs && entrance.isOpen && endpoints.size > 0;
    return isWrong ? { ...stuck, to: untranslated } : undefined;
  }
  if (endpoints.has(to)) return undefined;
  // If the node itself answered, the flow went to a local cache or another program's proxy.
  const isByNode = nodeAddresses.has(reply.source) || /^(?:127\.|169\.254\.|::1$|fe80:)/.test(reply.source);
  return isUnreplied || (!isIpvs && !isByNode) ? { ...stuck, to } : undefined;
}

function onDeadEndpoint(
  service: FlowService,
  to: string,
  all: readonly Stuck[],
  aliveIps: ReadonlySet<string | undefined>,
): Finding {
  const unanswered = all.filter(({ flow }) => flow.isUnreplied).length;
  const [ip = '', port = ''] = to.split(' ');
  const state =
    unanswered === all.length
      ? 'nothing answers'
      : unanswered === 0
        ? 'it answered before'
        : `${unanswered} of them unanswered`;
  const commands = commandsOf(all, (flow, isNodePort) => [
    ...(isNodePort ? [] : ['--orig-dst', flow.original.destination]),
    '--orig-port-dst',
    String(flow.original.destinationPort),
    '--reply-src',
    ip,
    ...(aliveIps.has(ip) ? ['--reply-port-src', port] : []),
  ]);
  return makeFinding('K8N511', {
    ...partsOf(service, all),
    severity: unanswered > 0 && !service.isIpvs ? 'error' : 'warning',
    what: `${flows(all)} to ${entrancesOf(all)} ${all.length === 1 ? 'goes' : 'go'} to ${addressText(ip, port)}, which is not an endpoint: ${state}`,
    fix: service.isIpvs
      ? `Set net.ipv4.vs.expire_nodest_conn=1, and delete what is left over: ${commands}.`
      : `Delete the entries: ${commands}.`,
    ...(service.isIpvs && { why: ipvsWhy }),
    ...(unanswered === 0 && { why: answeredWhy }),
  });
}

const answeredWhy =
  'The entry was not removed when the endpoint went; what a client still sends by it is lost, and keeps it from timing out.';
const ipvsWhy =
  'With net.ipv4.vs.expire_nodest_conn=0 IPVS goes on sending to a server that was removed until the flow times out; with 1 only this entry of conntrack is left over.';

function neverTranslated(service: FlowService, all: readonly Stuck[]): Finding {
  const { size } = service.endpoints;
  const commands = commandsOf(all, ({ original }) => [
    '--orig-dst',
    original.destination,
    '--orig-port-dst',
    String(original.destinationPort),
    '--reply-src',
    original.destination,
  ]);
  const were = all.length === 1 ? 'was' : 'were';
  const there = size === 1 ? 'there is an endpoint' : `there are ${size} endpoints`;
  return makeFinding('K8N511', {
    ...partsOf(service, all),
    what: `${flows(all)} to ${entrancesOf(all)} ${were} never translated, although ${there}: nothing answers`,
    why: 'The entry was made while the Service had no endpoints; as long as the client sends, it stays, and no rule is asked again.',
    fix: `Delete the entries: ${commands}.`,
  });
}

function partsOf(service: FlowService, all: readonly Stuck[]) {
  return {
    ...(service.name !== undefined && { service: service.name }),
    places: service.origin === undefined ? [] : [service.origin],
    found: all.slice(0, mostPlaces).map(({ file, flow }) => ({ file, line: flow.line })),
  };
}

const mostPlaces = 20;

function flows(all: readonly Stuck[]): string {
  return all.length === 1 ? 'a UDP flow' : `${all.length} UDP flows`;
}

function entrancesOf(all: readonly Stuck[]): string {
  const texts = all.map(({ flow: { original } }) => addressText(original.destination, original.destinationPort));
  return listOf([...new Set(texts)]);
}

function addressText(ip: string, port: number | string): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}`;
}

/** Each once, as kube-proxy itself would call them. */
function commandsOf(
  all: readonly Stuck[],
  words: (flow: ConntrackFlow, isNodePort: boolean) => readonly string[],
): string {
  const commands = all.map(({ flow, isNodePort }) =>
    ['conntrack -D', ...(flow.family === 'ipv6' ? ['-f ipv6'] : []), '-p udp', ...words(flow, isNodePort)].join(' '),
  );
  return [...new Set(commands)].map((command) => `\`${command}\``).join(', ');
}
