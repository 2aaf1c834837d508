import type { Cidr } from '../../common/addresses/cidr.ts';
import type { Cni } from './routesPlan.ts';

/** How the Pod network is set up: what the command line says, with defaults filled in. */
export interface RoutesOptions {
  readonly cni: Cni;
  /** Of flannel. */
  readonly backend: 'vxlan' | 'host-gw' | 'udp';
  /** Plan for this node only. */
  readonly node?: string;
  /** The device that nodes reach each other through. */
  readonly iface: string;
  /** The links of the nodes; empty: not known. */
  readonly nodeSubnets: readonly Cidr[];
  /** The network of all Pods; empty: not known. */
  readonly clusterCIDRs: readonly Cidr[];
  readonly serviceCIDRs: readonly Cidr[];
  /** flannel's DirectRouting: no tunnel between nodes of one link. */
  readonly usesDirectRouting: boolean;
  readonly vni: number;
  /** flannel before 0.9 had one route for all Pods, and learned neighbors on demand. */
  readonly hasRoutePerNode: boolean;
  readonly calico: {
    readonly tunnel: 'none' | 'ipip' | 'vxlan';
    /** The tunnel is only for nodes of another link. */
    readonly isCrossSubnetOnly: boolean;
    /** Prefix length of IPv4 blocks. */
    readonly blockSize: number;
  };
}
