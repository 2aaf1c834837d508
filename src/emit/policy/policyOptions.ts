import type { Cidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import type { PolicyLayout } from './iptables/netpolNames.ts';

/** How policies become rules. What is left out has kube-router's or Calico's customary value. */
export interface PolicyOptions {
  /** The node that rules are for; undefined: every pod counts as its own. */
  readonly node?: string;
  /** What happens to traffic that no rule allows: silence (default), or an ICMP port unreachable. */
  readonly deny?: 'drop' | 'reject';
  /** Sends denied packets, ten a minute, to this netlink log group. */
  readonly logGroup?: number;
  /** Addresses of the node's pod ranges that belong to no pod that is known: open (default), or closed. */
  readonly unknownPods?: 'allow' | 'deny';
  /** The node's pod ranges; undefined: those of the Node object. */
  readonly podCIDRs?: readonly Cidr[];
  /** `postrouting` also sees what IPVS sends, which passes by the forward hook. */
  readonly hook?: 'forward' | 'postrouting';
  /** A pod that reaches itself through a Service: always allowed (default), or subject to its policies. */
  readonly hairpin?: 'allow' | 'policy';
  /** Echo requests: subject to policies (default: only rules without ports allow them), or always allowed. */
  readonly icmp?: 'policy' | 'allow';
  /** iptables: kube-router's rules as they are, or repaired (default). */
  readonly layout?: PolicyLayout;
  /**
   * iptables, kube-router's layout: with the few rules of `strict` that keep marks of other programs from opening it, and
   * unknown pods from cutting off the node itself. For rules that are loaded; kube-router's dumps do not have them.
   */
  readonly isHardened?: boolean;
  /** iptables: hashed into chain names; kube-router takes the time of each sync. */
  readonly syncVersion?: string;
  /**
   * iptables, strict: `10.96.0.10,tcp:80`, addresses of Services at which IPVS takes packets. It translates behind the
   * input hook, so that hook must leave them alone; they are judged when they go out.
   */
  readonly virtualAddresses?: Readonly<Record<Family, readonly string[]>>;
  /** The next four: kube-router's layout only, which judges no traffic to these ranges. Default 10.96.0.0/12. */
  readonly serviceCIDRs?: readonly string[];
  readonly externalIPRanges?: readonly string[];
  readonly loadBalancerRanges?: readonly string[];
  /** `30000:32767`. */
  readonly nodePortRange?: string;
}
