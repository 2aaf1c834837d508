import type { RuleView } from '../../netfilter/iptables/print/ruleView.ts';
import { type ServiceChainKind, serviceChainKind } from '../../netfilter/proxyChains.ts';
import type { SeenAddress, SeenPort, SeenSources } from '../ports/seenPort.ts';
import type { ChainReader, SeenChain } from './seenChain.ts';

/** A chain that an address or a node port leads to. */
export interface Entrance {
  readonly port: SeenPort;
  /** Through 1.18 external IPs ignore the policy, so their chains show nothing of it. */
  readonly kind: 'internal' | 'external' | 'externalIP';
  readonly chain: string;
}

/** Reads policies, source ranges, affinity and endpoints off the chains behind an entrance. */
export function followEntrance({ port, kind, chain }: Entrance, reader: ChainReader): void {
  const read = reader.service(chain);
  switch (serviceChainKind(chain)) {
    case 'balance':
      if (kind === 'internal') port.internalPolicy ??= 'Cluster';
      else if (kind === 'external') port.externalPolicy ??= 'Cluster';
      else port.externalIPPolicy ??= 'Cluster';
      takeCluster(port, read);
      break;
    case 'localBalance':
      port[kind === 'internal' ? 'internalPolicy' : 'externalPolicy'] = 'Local';
      takeLocal(port, read);
      break;
    case 'localExternal':
      port.externalPolicy = 'Local';
      if (kind === 'externalIP') port.externalIPPolicy = 'Local';
      takeLocal(port, read);
      followOthers(port, read, reader, 'balance');
      break;
    case 'external':
      followExternal(port, read, reader);
      break;
    default:
      followFirewall(port, read, reader);
  }
}

function takeCluster(port: SeenPort, chain: SeenChain | undefined): void {
  if (chain === undefined) port.lacksEndpoints = true;
  if (chain === undefined) return;
  port.affinitySeconds ??= chain.affinitySeconds;
  port.cluster ??= chain.endpoints;
  // 1.22 keeps endpoints that are not ready, for clients with affinity.
  for (const endpoint of chain.stickyOnly) if (!has(port.idle, endpoint)) port.idle.push(endpoint);
  if (chain.endpoints.length + chain.lost > 0) port.hasEndpoints ??= true;
  if (chain.lost > 0) port.lacksEndpoints = true;
}

function takeLocal(port: SeenPort, chain: SeenChain | undefined): void {
  // kube-proxy leaves no such chain without rules: the rules are missing because the dump was cut.
  const isCut = chain !== undefined && chain.endpoints.length + chain.lost + chain.others.length === 0;
  if (chain === undefined || isCut) port.lacksEndpoints = true;
  if (chain === undefined || isCut) return;
  port.affinitySeconds ??= chain.affinitySeconds;
  port.local ??= chain.endpoints;
  if (chain.endpoints.length + chain.lost > 0) port.hasEndpoints ??= true;
  if (chain.lost > 0) port.lacksEndpoints = true;
}

/** KUBE-EXT: its rules about sources show the policy; its last rule shows where the endpoints are. */
function followExternal(port: SeenPort, chain: SeenChain | undefined, reader: ChainReader): void {
  if (chain === undefined) return;
  port.hasEndpoints ??= true;
  for (const { isFromNode, jump, comment } of chain.others) {
    if (isFromNode || serviceChainKind(jump) === 'localBalance') port.externalPolicy = 'Local';
    else if (jump === 'KUBE-MARK-MASQ' && comment !== '') port.externalPolicy ??= 'Cluster';
  }
  followOthers(port, chain, reader, 'balance');
  followOthers(port, chain, reader, 'localBalance');
}

function followOthers(
  port: SeenPort,
  chain: SeenChain | undefined,
  reader: ChainReader,
  kind: 'balance' | 'localBalance',
): void {
  const next = chain?.others.find(({ jump }) => serviceChainKind(jump) === kind)?.jump;
  if (next === undefined) return;
  const take = kind === 'balance' ? takeCluster : takeLocal;
  take(port, reader.service(next));
}

/** KUBE-FW: source ranges, then the jump for external traffic. */
function followFirewall(port: SeenPort, chain: SeenChain | undefined, reader: ChainReader): void {
  if (chain === undefined) return;
  const passes = firstBlock(chain.others).filter(({ jump }) => passedTo.has(serviceChainKind(jump)));
  port.sources ??= sourcesOf(passes, chain.others, port);
  const next = passes[0]?.jump;
  if (next !== undefined) followEntrance({ port, kind: 'external', chain: next }, reader);
}

/** Through 1.24 the rules are repeated for each address of the load balancer, each time up to a drop. */
function firstBlock(rules: readonly RuleView[]): readonly RuleView[] {
  const end = rules.findIndex(({ jump }) => jump === 'KUBE-MARK-DROP');
  return end === -1 ? rules : rules.slice(0, end);
}

/**
 * A rule without a source allows everybody: through 1.23 it alone means that there are no ranges; otherwise it is the
 * range of all addresses.
 */
function sourcesOf(
  passes: readonly RuleView[],
  all: readonly RuleView[],
  { family, loadBalancerIPs }: SeenPort,
): SeenSources | undefined {
  const everybody = family === 'ipv4' ? '0.0.0.0/0' : '::/0';
  const ranges = passes.map(({ source }) => source ?? everybody);
  if (ranges.length === 0 || (ranges.length === 1 && ranges[0] === everybody)) return undefined;
  const drops = all.filter(({ jump }) => jump === 'KUBE-MARK-DROP').length;
  const own = loadBalancerIPs.slice(0, drops > 0 ? 1 : undefined);
  const hasOwn = own.length > 0 && own.every((ip, at) => ranges[ranges.length - own.length + at] === ip);
  if (!hasOwn) return { ranges, own: 'none' };
  const isRepeated = drops > 1;
  return isRepeated ? { ranges: ranges.slice(0, -own.length), own: 'apart' } : { ranges, own: 'perhaps' };
}

function has(list: readonly SeenAddress[], { ip, port }: SeenAddress): boolean {
  return list.some((one) => one.ip === ip && one.port === port);
}

const passedTo: ReadonlySet<ServiceChainKind | undefined> = new Set(['balance', 'external', 'localExternal'] as const);
