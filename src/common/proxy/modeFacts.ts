import type { ProxyMode } from './proxyMode.ts';

/**
 * What a mode is in all versions. Ask for the fact, not for the mode. What depends on the version is in `dialect/`;
 * what each mode writes, and how, is in the tables of `pipeline/` and `output/`.
 */
export interface ModeFacts {
  /** Whose rules kube-proxy writes. Two modes that use iptables have chains of the same names. */
  readonly rulesIn: 'iptables' | 'nftables';
  /** The part of the KubeProxyConfiguration that holds masqueradeAll and masqueradeBit. */
  readonly settingsIn: 'iptables' | 'nftables';
  /**
   * The kernel's virtual servers balance: they take packets behind the input hook, and their answers pass no forward
   * hook.
   */
  readonly usesIpvs: boolean;
  /** Addresses and source ranges are members of ipsets, which cannot hold a range of all addresses. */
  readonly usesIpsets: boolean;
  /** Rules name the Service that they belong to. */
  readonly namesServices: boolean;
  /** Rejections in the filter table name their Services, even if a dump lacks nat. */
  readonly namesServicesInFilter: boolean;
  /** How a new connection finds its Service. */
  readonly findsServicesBy: 'rulesInTurn' | 'lookup';
  /** kube-proxy's process accepts each connection and opens another to the endpoint: rules lead only to the process. */
  readonly passesThroughProxy: boolean;
  /** kube-proxy hands its rules over as one text, instead of adding them one by one. */
  readonly hasRestoreText: boolean;
  /** One kube-proxy serves both families. */
  readonly servesBothFamilies: boolean;
  /** Node ports can be opened on 127.0.0.1, by means of route_localnet. */
  readonly opensLocalhost: boolean;
  /** Where node ports answer, if nodePortAddresses says nothing. */
  readonly nodePortsByDefault: 'everyAddress' | 'primaryAddress';
  /** Which of the node's own addresses its rules name for node ports, if they are open by default. */
  readonly namedNodeAddresses: 'none' | 'primary' | 'all';
  /** kube-proxy accepts forwarded packets of Services and Pods, whatever the policy of the forward hook. */
  readonly acceptsForwarded: boolean;
  /** Packets to unassigned addresses of the ServiceCIDRs can be dropped. */
  readonly dropsUnallocated: boolean;
  /**
   * Under externalTrafficPolicy Local, a node without endpoints sends to endpoints of other nodes instead of dropping.
   */
  readonly sendsLocalElsewhere: boolean;
  /** Hairpin traffic is masqueraded only for endpoints of this node: the rules depend on where each endpoint is. */
  readonly masqueradesOwnHairpins: boolean;
}

const iptables: ModeFacts = {
  rulesIn: 'iptables',
  settingsIn: 'iptables',
  usesIpvs: false,
  usesIpsets: false,
  namesServices: true,
  namesServicesInFilter: true,
  findsServicesBy: 'rulesInTurn',
  passesThroughProxy: false,
  hasRestoreText: true,
  servesBothFamilies: true,
  opensLocalhost: true,
  nodePortsByDefault: 'everyAddress',
  namedNodeAddresses: 'none',
  acceptsForwarded: true,
  dropsUnallocated: false,
  sendsLocalElsewhere: false,
  masqueradesOwnHairpins: false,
};

const ipvs: ModeFacts = {
  ...iptables,
  usesIpvs: true,
  usesIpsets: true,
  namesServices: false,
  namesServicesInFilter: false,
  findsServicesBy: 'lookup',
  opensLocalhost: false,
  namedNodeAddresses: 'all',
  sendsLocalElsewhere: true,
  masqueradesOwnHairpins: true,
};

const nftables: ModeFacts = {
  ...iptables,
  rulesIn: 'nftables',
  settingsIn: 'nftables',
  namesServicesInFilter: false,
  findsServicesBy: 'lookup',
  opensLocalhost: false,
  nodePortsByDefault: 'primaryAddress',
  namedNodeAddresses: 'primary',
  acceptsForwarded: false,
  dropsUnallocated: true,
};

/** Through 1.25. */
const userspace: ModeFacts = {
  ...iptables,
  namesServicesInFilter: false,
  passesThroughProxy: true,
  hasRestoreText: false,
  servesBothFamilies: false,
  opensLocalhost: false,
};

export const modeFacts: Readonly<Record<ProxyMode, ModeFacts>> = { iptables, ipvs, nftables, userspace };

/** Cleaning up after one also removes chains of the other. */
export function sharesChains(one: ProxyMode, other: ProxyMode): boolean {
  return modeFacts[one].rulesIn === 'iptables' && modeFacts[other].rulesIn === 'iptables';
}
