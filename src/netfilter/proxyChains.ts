/** What a chain that kube-proxy makes for one Service port or one endpoint is for. */
export type ServiceChainKind = 'balance' | 'localBalance' | 'endpoint' | 'external' | 'localExternal' | 'firewall';

/** How names of chains of iptables mode begin; behind it stands a hash of sixteen characters. */
export const chainPrefixes = {
  balance: 'KUBE-SVC-',
  localBalance: 'KUBE-SVL-',
  // Through 1.23; it shares packets among the endpoints of the node itself.
  localExternal: 'KUBE-XLB-',
  external: 'KUBE-EXT-',
  firewall: 'KUBE-FW-',
  endpoint: 'KUBE-SEP-',
} as const satisfies Readonly<Record<ServiceChainKind, string>>;

/** Chains of one Service, of any version of iptables mode, as the regular expressions of awk tell them. */
export const serviceChainPattern = `^KUBE-(${Object.values(chainPrefixes)
  .map((prefix) => prefix.slice(5, -1))
  .join('|')})-[A-Z2-7]+$`;

/** Chains that all Services share in iptables mode, of every version; KUBE-MARK-DROP and KUBE-FIREWALL are kubelet's too. */
export const sharedIptablesChains = [
  'KUBE-SERVICES',
  'KUBE-EXTERNAL-SERVICES',
  'KUBE-NODEPORTS',
  'KUBE-POSTROUTING',
  'KUBE-MARK-MASQ',
  'KUBE-FORWARD',
  'KUBE-PROXY-FIREWALL',
  'KUBE-PROXY-CANARY',
] as const;

/** Chains of iptables mode by name. Undefined: the chain belongs to no one Service. */
export function serviceChainKind(chain: string): ServiceChainKind | undefined {
  if (!serviceChains.test(chain)) return undefined;
  // From the back: most chains lead to endpoints.
  for (let at = prefixes.length - 1; at >= 0; at -= 1) if (chain.startsWith(prefixes[at] as string)) return kinds[at];
  return undefined;
}

/** Chains of nftables mode by name: what it is for, a hash, then the Service and its port. */
export function nftChainKind(chain: string): ServiceChainKind | undefined {
  const word = /^([a-z]+)-[A-Z0-9]{8}-/.exec(chain)?.[1];
  return word === undefined ? undefined : nftWords.get(word);
}

/** In iptables mode. */
export function isServiceChain(chain: string): boolean {
  return serviceChains.test(chain);
}

/** The name of a chain of a Service with its whole hash: nobody else's chain has one. */
export function isHashedServiceChain(chain: string): boolean {
  return hashedServiceChains.test(chain);
}

/** The chain shares packets of a Service among its endpoints, in iptables mode. */
export function isBalancingChain(chain: string): boolean {
  return balancing.has(serviceChainKind(chain));
}

/** The chain leads to one endpoint, in iptables or in nftables mode. */
export function isEndpointChain(chain: string): boolean {
  return serviceChainKind(chain) === 'endpoint' || nftChainKind(chain) === 'endpoint';
}

/** The chain asks for the source ranges of Services, in any mode, or drops what such a chain has marked. */
export function isFirewallChain(chain: string): boolean {
  return serviceChainKind(chain) === 'firewall' || /firewall/i.test(chain);
}

/** Chains and sets that programs of Kubernetes make: kube-proxy, kubelet, kube-router. */
export function isKubeName(name: string): boolean {
  return name.startsWith('KUBE-');
}

/** Whether kube-proxy writes the chain. The kubelet's KUBE-FIREWALL and KUBE-MARK-DROP do not count. */
export function isProxyChain(chain: string): boolean {
  return isServiceChain(chain) || sharedChains.has(chain);
}

/** The chain is one that iptables mode makes, and not IPVS mode. */
export function isIptablesModeChain(chain: string): boolean {
  const kind = serviceChainKind(chain);
  return kind === 'balance' || kind === 'endpoint';
}

/** The chain is one that only IPVS mode has. */
export function isIpvsChain(chain: string): boolean {
  return ipvsChains.has(chain);
}

/**
 * kubelet's chains, and those that kubelet and kube-proxy both write. Only in filter is KUBE-FIREWALL one: nat's was of
 * kube-proxy's IPVS mode alone, through 1.24.
 */
export function isNeighbourChain(table: string, chain: string): boolean {
  if (table === 'nat' && chain === 'KUBE-FIREWALL') return false;
  return neighbourChains.has(chain);
}

/** kube-proxy's table of nftables mode, by family and name. */
export function isProxyTable(table: string): boolean {
  return table === 'ip kube-proxy' || table === 'ip6 kube-proxy';
}

const kinds = Object.keys(chainPrefixes) as readonly ServiceChainKind[];
const prefixes: readonly string[] = Object.values(chainPrefixes);

/** Asked of each chain and many a rule of large dumps, where one regular expression is fastest. */
const serviceChains = new RegExp(`^KUBE-(?:${prefixes.map((prefix) => prefix.slice(5)).join('|')})`);

const hashedServiceChains = new RegExp(`${serviceChains.source}[A-Z2-7]{16}$`);

const nftWords: ReadonlyMap<string, ServiceChainKind> = new Map([
  ['service', 'balance'],
  ['local', 'localBalance'],
  ['endpoint', 'endpoint'],
  ['external', 'external'],
  ['firewall', 'firewall'],
]);

const balancing: ReadonlySet<ServiceChainKind | undefined> = new Set([
  'balance',
  'localBalance',
  'localExternal',
] as const);

const ipvsChains: ReadonlySet<string> = new Set(['KUBE-LOAD-BALANCER', 'KUBE-NODE-PORT', 'KUBE-IPVS-FILTER']);

/** Chains that all Services share, of every version and mode. */
const sharedChains: ReadonlySet<string> = new Set([
  ...ipvsChains,
  ...sharedIptablesChains,
  'KUBE-SOURCE-RANGES-FIREWALL',
  'KUBE-IPVS-OUT-FILTER',
  'KUBE-PORTALS-CONTAINER',
  'KUBE-PORTALS-HOST',
  'KUBE-NODEPORT-CONTAINER',
  'KUBE-NODEPORT-HOST',
  'KUBE-NODEPORT-NON-LOCAL',
]);

const neighbourChains: ReadonlySet<string> = new Set([
  'KUBE-KUBELET-CANARY',
  'KUBE-IPTABLES-HINT',
  'KUBE-MARK-DROP',
  'KUBE-FIREWALL',
]);
