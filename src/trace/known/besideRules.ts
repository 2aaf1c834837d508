import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { Finding } from '../../findings/finding.ts';
import type { FixNames } from '../../findings/fixNames.ts';
import type { HostPort } from '../../model/hostPortsOf.ts';
import type { OtherPolicy } from '../../model/policyModel.ts';
import type { JudgePolicies } from '../../pipeline/policyStops.ts';
import type { WalkRoute } from '../../walk/input/topology.ts';
import type { NamedDestination } from '../question/namedThings.ts';

/** What is known apart from rules and packet. */
export interface BesideRules {
  /** K8N111: the dump has no rule of kube-proxy. */
  readonly absence?: Finding | undefined;
  /** Facts about the node, for the commands of fixes. */
  readonly names?: FixNames;
  /** The Service port at the packet's destination, according to objects. */
  readonly destination?: NamedDestination | undefined;
  /** Objects name all Services: an address without one belongs to nobody. */
  readonly hasObjects?: boolean;
  /** Ranges of the packet's family by which the rules recognize Pods. */
  readonly podRanges?: readonly ValueRange[];
  /** Addresses at which NodeLocal DNSCache answers on this node, according to its rules. */
  readonly dnsCache?: readonly Value[];
  /** Ports of the node that Pods request, according to objects. */
  readonly hostPorts?: readonly HostPort[];
  /** nodePortAddresses, as given with the objects, leaves the node's address out: no node port answers there. */
  readonly closesNodePorts?: ((address: Value) => boolean) | undefined;
  /** The node's route to an address. */
  readonly routeTo?: (address: Value) => WalkRoute | undefined;
  /** Kernel settings that were given: all others are assumed. */
  readonly givenSysctls?: ReadonlySet<string>;
  /** Somebody said that the packet came in by this interface. */
  readonly isInterfaceGiven?: boolean;
  /** Policies that are not read, and whose rules the dump does not show. */
  readonly otherPolicies?: readonly OtherPolicy[];
  /** Judges the packet by policies where the rules that are walked do not. */
  readonly judgePolicies?: JudgePolicies | undefined;
}
