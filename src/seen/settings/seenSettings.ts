import type { Family } from '../../common/addresses/family.ts';
import type { IpvsTimeouts } from '../../netfilter/ipvs/ast.ts';

/** What the rules of one family show about kube-proxy's settings. Undefined fields are not shown. */
export interface SeenSettings {
  readonly family: Family;
  mark?: number | undefined;
  detector?: SeenDetector | undefined;
  masqueradesAll?: boolean | undefined;
  /** Where node ports are open. */
  nodePorts?: SeenNodePorts | undefined;
  /** KUBE-FIREWALL guards 127.0.0.0/8, as it must if node ports are open there. */
  guardsLocalnet?: boolean | undefined;
  /** INVALID packets are not dropped. */
  isLiberal?: boolean | undefined;
  /** Packets are counted by nfacct. */
  hasNfacct?: boolean | undefined;
  /** Ranges whose unallocated addresses are dropped. */
  serviceCIDRs?: readonly string[] | undefined;
  scheduler?: string | undefined;
  timeouts?: IpvsTimeouts | undefined;
}

/** How rules recognize traffic of local Pods. */
export type SeenDetector =
  | { readonly kind: 'cidr'; readonly cidr: string }
  | { readonly kind: 'bridge'; readonly name: string }
  | { readonly kind: 'prefix'; readonly prefix: string };

export type SeenNodePorts =
  /** On every local address, or all except loopback. */
  | { readonly kind: 'any'; readonly excludesLoopback: boolean }
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] };
