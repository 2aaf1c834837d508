import { topics } from './topics.ts';

/**
 * The topic that a word means: its name in any writing (`NodePort`, `nodeport`, `node-ports`), a kind, a field or an
 * abbreviation of what the topic is about. Undefined: none.
 */
export function topicNamed(word: string): string | undefined {
  const plain = letters(word);
  return byLetters.get(plain) ?? byLetters.get(plain.replace(/s$/, ''));
}

function letters(word: string): string {
  return word.replace(/[^a-z0-9]/gi, '').toLowerCase();
}

const aliases: Readonly<Record<string, readonly string[]>> = {
  'cluster-ip': ['vip', 'virtual ip', 'ping'],
  'cluster-network-policy': [
    'AdminNetworkPolicy',
    'AdminNetworkPolicies',
    'BaselineAdminNetworkPolicy',
    'BaselineAdminNetworkPolicies',
    'ClusterNetworkPolicies',
    'anp',
    'banp',
    'cnp',
  ],
  conntrack: ['connection tracking', 'nf_conntrack', 'stale connections'],
  dns: ['CoreDNS', 'kube-dns', 'resolv.conf', 'ndots', 'ExternalName', 'CNAME'],
  'endpoint-slice': ['Endpoints', 'ep'],
  'external-ips': ['externalIP', 'DenyServiceExternalIPs', 'AllowServiceExternalIPs'],
  'external-traffic-policy': ['etp', 'healthCheckNodePort', 'source ip', 'client ip'],
  'gateway-api': [
    'Gateway',
    'GatewayClass',
    'HTTPRoute',
    'GRPCRoute',
    'TLSRoute',
    'TCPRoute',
    'UDPRoute',
    'ReferenceGrant',
  ],
  hairpin: ['hairpinning', 'hairpin mode', 'hairpinMode'],
  headless: ['headless service', 'publishNotReadyAddresses', 'StatefulSet'],
  ingress: ['IngressClass', 'ingresses', 'ingress controller', 'ingress-nginx'],
  'internal-traffic-policy': ['itp'],
  'ip-mode': ['LoadBalancerIPMode'],
  ipvs: ['ipvsadm', 'ip_vs', 'kubeipvs0'],
  masquerade: ['masq', 'SNAT', 'masqueradeAll', 'KUBE-MARK-MASQ'],
  modes: ['mode', 'iptables', 'userspace', 'kube-proxy', 'proxy mode'],
  'multi-cluster': ['mcs', 'ServiceImport', 'ServiceExport', 'clusterset', 'clusterset.local'],
  'network-policy': ['NetworkPolicies', 'netpol', 'np', 'ipBlock'],
  nftables: ['nft'],
  'node-port': ['nodePortAddresses'],
  service: ['svc', 'LoadBalancer', 'lb'],
  'service-cidr': ['IPAddress', 'service range', 'service-cluster-ip-range'],
  'session-affinity': ['affinity', 'sticky sessions', 'ClientIP affinity', 'sessionAffinityConfig'],
  'traffic-distribution': [
    'PreferClose',
    'PreferSameZone',
    'PreferSameNode',
    'topology',
    'topology-mode',
    'topology hints',
    'topology aware routing',
    'hints',
  ],
};

const byLetters: ReadonlyMap<string, string> = new Map(
  Object.keys(topics).flatMap((name) =>
    [name, ...(aliases[name] ?? [])].flatMap((word): [string, string][] => [
      [letters(word), name],
      [letters(word).replace(/s$/, ''), name],
    ]),
  ),
);
