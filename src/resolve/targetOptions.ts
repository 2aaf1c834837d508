import type { Family } from '../common/addresses/family.ts';
import type { PortRange } from '../common/addresses/portRange.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { SeenServices } from '../model/seenServices.ts';

/** What the command line says about the node to compile for; undefined: not given. Flags override the config file. */
export interface TargetOptions {
  readonly mode?: ProxyMode;
  readonly node?: string;
  readonly nodeIPs?: readonly string[];
  /** Further local addresses, `IP/LEN`. */
  readonly nodeAddresses?: readonly string[];
  /** The address that kube-proxy binds to. */
  readonly bindAddress?: string;
  /** The ports of userspace mode. */
  readonly proxyPortRange?: string;
  readonly clusterCIDR?: string;
  readonly detectLocalMode?: string;
  readonly bridgeInterface?: string;
  readonly interfaceNamePrefix?: string;
  readonly masqueradeAll?: boolean;
  readonly masqueradeBit?: number;
  /** In iptables mode: node ports answer on loopback. */
  readonly localhostNodePorts?: boolean;
  readonly nodePortAddresses?: readonly string[];
  readonly ipvsScheduler?: string;
  readonly ipvsStrictArp?: boolean;
  readonly ipvsExcludeCIDRs?: readonly string[];
  readonly family?: Family | 'both';
  readonly cpus?: number;
  /** Ranges that cluster IPs are allocated from; the first of each family is used for those that are missing. */
  readonly serviceCIDRs?: readonly string[];
  /** Range that node ports are allocated from, and in which they must be. Default: 30000–32767. */
  readonly nodePortRange?: PortRange;
  /** Fill in what the API server would allocate. Default true. */
  readonly allocates?: boolean;
  /** Invent Pods for workloads. Default false. */
  readonly assumesPods?: boolean;
  /** Addresses that such Pods (`namespace/name`) keep, so that two versions of manifests can be compared; no other Pod gets them. */
  readonly podAddresses?: Readonly<Record<string, readonly string[]>>;
  readonly podCIDRs?: readonly string[];
  /** Treat labels and port names that the input does not show as absent. Default false. */
  readonly assumesEmptyLabels?: boolean;
  /**
   * What the node shows about Services: it replaces values and endpoints that manifests lack, and nothing is invented.
   */
  readonly seen?: SeenServices;
  /** Endpoints of Services that the input leaves out: kube-proxy counts those of the whole cluster. */
  readonly otherEndpoints?: Readonly<Record<Family, number>>;
}
