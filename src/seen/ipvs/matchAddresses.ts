import type { Protocol } from '../../common/addresses/protocol.ts';
import { addTo } from '../../common/addTo.ts';
import type { SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import type { TrafficPolicy } from '../ports/seenPort.ts';
import { type Fit, fitOf, fits } from './fitOf.ts';
import { type IpvsAddress, type IpvsFacts, ipvsAddressKey } from './ipvsFacts.ts';
import type { NodePort } from './nodePorts.ts';
import { type FamilyDrafts, type PortDraft, type Servers, type ServiceDraft, serversAt } from './serviceDraft.ts';

/**
 * Assigns each external IP and load-balancer address to Services that have its ports, each port once, and whose cluster
 * IP has the same servers; the best fit comes first. Among Services with the same servers but different policies, it
 * takes no more than it must, which leaves enough for later addresses. Returns what fits no Service.
 */
export function matchAddresses(family: FamilyDrafts, nodePorts: Iterable<NodePort>): readonly IpvsAddress[] {
  const byServers = new Map<string, ServiceDraft[]>();
  for (const draft of family.drafts) {
    const [first] = draft.ports;
    if (first !== undefined) addTo(byServers, `${portKey(first)} ${first.servers.key}`, draft);
  }
  const open = new Set(inTurn(externalAddresses(family)));
  const policies = policiesByServers(open, nodePorts);
  const isMixed = ({ protocol, servers }: PortDraft) => (policies.get(`${protocol} ${servers.key}`)?.size ?? 0) > 1;
  for (const least of fits) {
    for (const address of open) {
      const likely = [...address.wanted].flatMap(([key, servers]) => byServers.get(`${key} ${servers.key}`) ?? []);
      take(address, least === 4 ? likely : family.drafts, least, family, isMixed);
      if (address.wanted.size === 0) open.delete(address);
    }
  }
  return [...open].flatMap(({ addresses, wanted }) => addresses.filter((address) => wanted.has(portKey(address))));
}

function portKey({ protocol, port }: { readonly protocol: Protocol; readonly port: number }): string {
  return `${protocol} ${port}`;
}

interface ExternalAddress {
  readonly ip: string;
  readonly kind: 'externalIPs' | 'loadBalancerIPs';
  /** Undefined: through 1.18 external IPs ignore the policy. */
  readonly policy: TrafficPolicy | undefined;
  readonly addresses: readonly IpvsAddress[];
  /** By protocol and port: those that belong to no Service yet. */
  readonly wanted: Map<string, Servers>;
  readonly sources: string;
}

/** One of each policy and each list of source ranges comes first: these need separate Services. */
function inTurn(all: readonly ExternalAddress[]): readonly ExternalAddress[] {
  const seen = new Set<string>();
  const isFirst = ({ kind, policy, sources, wanted }: ExternalAddress) => {
    const servers = [...wanted].map(([key, own]) => `${key} ${own.key}`).sort();
    return seen.size < seen.add([kind, policy, sources, ...servers].join()).size;
  };
  const first = all.filter(isFirst);
  const isTaken = new Set(first);
  return [...first, ...all.filter((address) => !isTaken.has(address))];
}

/** The policies of addresses and node ports with the same servers. */
function policiesByServers(
  addresses: Iterable<ExternalAddress>,
  nodePorts: Iterable<NodePort>,
): ReadonlyMap<string, ReadonlySet<TrafficPolicy>> {
  const found = new Map<string, Set<TrafficPolicy>>();
  const add = (protocol: string, key: string, policy: TrafficPolicy) =>
    found.set(`${protocol} ${key}`, (found.get(`${protocol} ${key}`) ?? new Set()).add(policy));
  for (const { policy, wanted } of addresses) {
    if (policy === undefined) continue;
    for (const [key, servers] of wanted) add(key.split(' ', 1)[0] as string, servers.key, policy);
  }
  for (const { protocol, servers, policy } of nodePorts) add(protocol, servers.key, policy);
  return found;
}

/** The address goes to Services that fit at least this well, until each of its ports belongs to one. */
function take(
  address: ExternalAddress,
  candidates: readonly ServiceDraft[],
  least: Fit,
  family: FamilyDrafts,
  isMixed: (port: PortDraft) => boolean,
): void {
  const { ip, kind, policy, wanted, sources } = address;
  const fitting = candidates.filter((draft) => worstFit(draft, address, family) >= least);
  const isKnown = (draft: ServiceDraft) => Number(draft.externalPolicy !== undefined && draft.ports.some(isMixed));
  const sorted = fitting.sort(
    (a, b) => b.ports.length - a.ports.length || isKnown(b) - isKnown(a) || a[kind].length - b[kind].length,
  );
  for (const [at, draft] of sorted.entries()) {
    const keys = draft.ports.map(portKey);
    if (!keys.every((key) => wanted.has(key))) continue;
    if (sorted[at + 1]?.ports.length === keys.length) draft.isGuess = true;
    draft[kind].push(ip);
    if (kind === 'loadBalancerIPs') draft.sources = sources;
    if (policy !== undefined) draft.externalPolicy ??= policy;
    for (const port of draft.ports) {
      const servers = wanted.get(portKey(port));
      if (servers !== undefined && policy !== undefined) port.external ??= servers;
      wanted.delete(portKey(port));
    }
    if (wanted.size === 0) return;
  }
}

function externalAddresses({ facts, goByPolicy }: FamilyDrafts): readonly ExternalAddress[] {
  const found = new Map<string, ExternalAddress & { readonly addresses: IpvsAddress[] }>();
  const gather = (set: SetKey, kind: ExternalAddress['kind'], policyOf: (key: string) => TrafficPolicy | undefined) => {
    for (const member of facts.members(set)) {
      const policy = policyOf(ipvsAddressKey(member));
      const sources = kind === 'loadBalancerIPs' ? sourcesKey(facts, member) : '';
      const key = `${kind} ${member.ip} ${policy} ${sources}`;
      const own = found.get(key) ?? {
        ip: member.ip,
        kind,
        policy,
        addresses: [] as IpvsAddress[],
        wanted: new Map(),
        sources,
      };
      own.addresses.push(member);
      own.wanted.set(portKey(member), serversAt(facts, member));
      found.set(key, own);
    }
  };
  const localAddresses = new Set(facts.members('loadBalancerLocal').map(ipvsAddressKey));
  gather('loadBalancer', 'loadBalancerIPs', (key) => (localAddresses.has(key) ? 'Local' : 'Cluster'));
  gather('externalIPLocal', 'externalIPs', () => 'Local');
  gather('externalIP', 'externalIPs', () => (goByPolicy ? 'Cluster' : undefined));
  return [...found.values()];
}

/**
 * 0: the address lacks a port of the Service, or one of them has other servers, or policies or source ranges disagree.
 */
function worstFit(
  { ports, externalPolicy, sources }: ServiceDraft,
  { kind, policy, wanted, sources: own }: ExternalAddress,
  { isLocal }: FamilyDrafts,
): Fit {
  if (policy !== undefined && externalPolicy !== undefined && externalPolicy !== policy) return 0;
  if (kind === 'loadBalancerIPs' && sources !== undefined && sources !== own) return 0;
  let worst: Fit = 4;
  for (const port of ports) {
    const servers = wanted.get(portKey(port));
    if (servers === undefined) return 0;
    if (port.external !== undefined && policy !== undefined && port.external.key !== servers.key) return 0;
    const fit = fitOf(port.servers, servers, policy ?? 'Cluster', (one) => isLocal(port.protocol, one));
    if (fit < worst) worst = fit;
  }
  return worst;
}

/** Equal for load-balancer addresses that allow the same sources; empty: everybody is allowed. */
function sourcesKey(facts: IpvsFacts, address: IpvsAddress): string {
  if (facts.at('loadBalancerFirewall', address).length === 0) return '';
  const ranges = facts.at('loadBalancerSourceCIDR', address).map(({ third }) => third);
  const own = facts.at('loadBalancerSourceIP', address).length > 0;
  return `ranges ${ranges.sort().join(' ')} ${own}`;
}
