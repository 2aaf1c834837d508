import type { ProxyMode } from '../common/proxy/proxyMode.ts';

/** A field of KubeProxyConfiguration and what it does to rules. */
export interface Setting {
  /** Steps with dots between. */
  readonly path: string;
  /** What kube-proxy takes where nothing is given. */
  readonly byDefault: unknown;
  readonly effect: string;
  /** Modes that look at it; undefined: all. */
  readonly modes?: readonly ProxyMode[];
}

const ruleModes: readonly ProxyMode[] = ['iptables', 'ipvs', 'nftables'];

/** Every field that shows in rules, sets, settings of the kernel, or what answers on the node. */
export const settings: readonly Setting[] = [
  {
    path: 'mode',
    byDefault: 'iptables',
    effect:
      'how Services reach their endpoints: rules of iptables, virtual servers of IPVS, rules of nftables, or (until 1.25) kube-proxy itself. An empty text is iptables.',
  },
  {
    path: 'bindAddress',
    byDefault: '0.0.0.0',
    effect:
      "the node's own IP, where it is not all zeros; userspace mode listens on it. Its family is the first one of a dual-stack node.",
  },
  {
    path: 'clusterCIDR',
    byDefault: '',
    modes: ruleModes,
    effect:
      'the network of the Pods: with detectLocalMode ClusterCIDR, traffic to cluster IPs from outside of it is masqueraded. Without it nothing is, and the answers to such clients may take a way back that does not pass this node.',
  },
  {
    path: 'detectLocalMode',
    byDefault: 'ClusterCIDR',
    modes: ruleModes,
    effect:
      "how traffic from the node's own Pods is recognized: by the network of all Pods, that of the node's Pods, their bridge, or the names of their interfaces. Policy Local and masquerading depend on it.",
  },
  {
    path: 'detectLocal.bridgeInterface',
    byDefault: '',
    modes: ruleModes,
    effect: 'the bridge of the Pods, for detectLocalMode BridgeInterface.',
  },
  {
    path: 'detectLocal.interfaceNamePrefix',
    byDefault: '',
    modes: ruleModes,
    effect: "what names of Pods' interfaces begin with, for detectLocalMode InterfaceNamePrefix.",
  },
  {
    path: 'nodePortAddresses',
    byDefault: [],
    modes: ruleModes,
    effect:
      'node ports are open only on addresses of the node in these networks. Empty: on all (nftables mode: on the primary ones).',
  },
  {
    path: 'iptables.masqueradeAll',
    byDefault: false,
    modes: ['iptables', 'ipvs'],
    effect: 'everything for a cluster IP is masqueraded: Pods see nodes as their clients.',
  },
  {
    path: 'iptables.masqueradeBit',
    byDefault: 14,
    modes: ['iptables', 'ipvs'],
    effect: 'the bit of the packet mark that asks for masquerading: 14 is 0x4000. Other programs must leave it alone.',
  },
  {
    path: 'iptables.localhostNodePorts',
    byDefault: true,
    modes: ['iptables'],
    effect:
      'node ports answer on 127.0.0.1 too; that needs the setting route_localnet. false: they do not (since 1.26).',
  },
  {
    path: 'nftables.masqueradeAll',
    byDefault: false,
    modes: ['nftables'],
    effect: 'everything for a cluster IP is masqueraded: Pods see nodes as their clients.',
  },
  {
    path: 'nftables.masqueradeBit',
    byDefault: 14,
    modes: ['nftables'],
    effect: 'the bit of the packet mark that asks for masquerading: 14 is 0x4000. Other programs must leave it alone.',
  },
  {
    path: 'ipvs.scheduler',
    byDefault: 'rr',
    modes: ['ipvs'],
    effect:
      'how IPVS chooses an endpoint: rr in turn, lc the one with fewest connections, sh by the source; each is a kernel module.',
  },
  {
    path: 'ipvs.strictARP',
    byDefault: false,
    modes: ['ipvs'],
    effect:
      'arp_ignore and arp_announce are set: the node does not answer ARP for addresses of kube-ipvs0. MetalLB needs it.',
  },
  {
    path: 'ipvs.excludeCIDRs',
    byDefault: [],
    modes: ['ipvs'],
    effect: 'virtual servers in these networks belong to other programs: kube-proxy does not remove them.',
  },
  ...(['tcpTimeout', 'tcpFinTimeout', 'udpTimeout'] as const).map(
    (name): Setting => ({
      path: `ipvs.${name}`,
      byDefault: '0s',
      modes: ['ipvs'],
      effect: 'how long IPVS keeps an idle connection of the kind; zero leaves the kernel’s value.',
    }),
  ),
  {
    path: 'portRange',
    byDefault: '',
    modes: ['userspace'],
    effect: 'where kube-proxy listens for each Service port; empty: anywhere.',
  },
  {
    path: 'conntrack.maxPerCore',
    byDefault: 32_768,
    effect: 'connections that the kernel tracks, for each CPU (net.netfilter.nf_conntrack_max); zero leaves it alone.',
  },
  {
    path: 'conntrack.min',
    byDefault: 131_072,
    effect: 'the least that nf_conntrack_max is set to.',
  },
  {
    path: 'conntrack.tcpBeLiberal',
    byDefault: false,
    effect:
      'conntrack takes packets outside of a connection’s window, and the rule that drops INVALID packets is left out.',
  },
  ...(['tcpEstablishedTimeout', 'tcpCloseWaitTimeout', 'udpTimeout', 'udpStreamTimeout'] as const).map(
    (name): Setting => ({
      path: `conntrack.${name}`,
      byDefault: { tcpEstablishedTimeout: '24h0m0s', tcpCloseWaitTimeout: '1h0m0s' }[name as string] ?? '0s',
      effect: 'how long conntrack keeps such a connection; zero leaves the kernel’s value.',
    }),
  ),
  {
    path: 'hostnameOverride',
    byDefault: '',
    effect: 'the name of the node: endpoints with this nodeName are the local ones.',
  },
  ...(
    [
      ['iptables', { syncPeriod: '30s', minSyncPeriod: '1s' }],
      ['ipvs', { syncPeriod: '30s', minSyncPeriod: '0s' }],
      ['nftables', { syncPeriod: '30s', minSyncPeriod: '1s' }],
    ] as const
  ).flatMap(([mode, defaults]) =>
    (['syncPeriod', 'minSyncPeriod'] as const).map(
      (name): Setting => ({
        path: `${mode}.${name}`,
        byDefault: defaults[name],
        modes: [mode],
        effect:
          name === 'syncPeriod'
            ? 'rules are written anew after this time even if nothing changed; no rule changes.'
            : 'changes are gathered for this long before rules are written; no rule changes.',
      }),
    ),
  ),
  {
    path: 'healthzBindAddress',
    byDefault: '0.0.0.0:10256',
    effect: 'where kube-proxy answers /healthz; balancers in front of nodes ask there. It changes no rule.',
  },
];
