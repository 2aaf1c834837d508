import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { Finding } from '../../findings/finding.ts';
import type { FixNames } from '../../findings/fixNames.ts';
import type { HostPort } from '../../model/hostPortsOf.ts';
import type { OtherPolicy } from '../../model/policyModel.ts';
import type { NamedDestination } from '../question/namedThings.ts';

/** What is known beside rules and packet. */
export interface BesideRules {
  /** K8N111: the dump has no rule of kube-proxy. */
  readonly absence?: Finding | undefined;
  /** Of the node, for the commands of fixes. */
  readonly names?: FixNames;
  /** The Service port that objects have at the packet's destination. */
  readonly destination?: NamedDestination | undefined;
  /** Objects name all Services: an address that none of them has is none's. */
  readonly hasObjects?: boolean;
  /** Ranges by which the rules tell Pods. */
  readonly podRanges?: readonly ValueRange[];
  /** Addresses at which NodeLocal DNSCache answers on this node, by its rules. */
  readonly dnsCache?: readonly Value[];
  /** Ports of the node that Pods ask for, by the objects. */
  readonly hostPorts?: readonly HostPort[];
  /** Settings of the kernel that were given: all others are assumed. */
  readonly givenSysctls?: ReadonlySet<string>;
  /** Somebody says that the packet came by this interface. */
  readonly isInterfaceGiven?: boolean;
  /** Policies that are not read, and whose rules the dump does not show. */
  readonly otherPolicies?: readonly OtherPolicy[];
}
