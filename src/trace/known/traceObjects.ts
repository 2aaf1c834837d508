import type { Family } from '../../common/addresses/family.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import type { FixNames } from '../../findings/fixNames.ts';
import type { HostPort } from '../../model/hostPortsOf.ts';
import type { OtherPolicy } from '../../model/policyModel.ts';
import type { QuietPod } from '../../model/quietPodsOf.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { JudgePolicies } from '../../pipeline/policyStops.ts';
import type { AssumedPart } from '../../walk/input/topology.ts';
import type { HostPod, NamedDestination, NamedService } from '../question/namedThings.ts';

/** The health-check node port of a Service: kube-proxy answers there, whatever the mode. */
export interface HealthCheckPort {
  readonly port: number;
  /** `namespace/name`. */
  readonly service: string;
}

/** What objects add to a node's dump: names, and the network where the dump shows none. */
export interface TraceObjects {
  readonly services: readonly NamedService[];
  readonly hostPods?: () => readonly HostPod[];
  /** Services that get no rules, by `namespace/name`, with the reason: `headless, DNS names the Pods`. */
  readonly withoutRules?: ReadonlyMap<string, string>;
  readonly destinations?: readonly NamedDestination[];
  /** Of the node, for the commands of fixes. */
  readonly fixNames?: FixNames;
  /** Ports of the node that Pods ask for. */
  readonly hostPorts?: readonly HostPort[];
  readonly healthChecks?: readonly HealthCheckPort[];
  /** nodePortAddresses leaves the node's address out. */
  readonly closesNodePorts?: (address: Value) => boolean;
  readonly quietPods?: readonly QuietPod[];
  readonly network: NetworkFacts;
  readonly assumed: ReadonlyMap<AssumedPart, string>;
  /** ExternalIPs of the node, and the address of its own that stands behind each. */
  readonly externalIPs?: readonly { readonly external: Value; readonly internal: Value }[];
  readonly family?: Family | undefined;
  /** Policies of kinds that are not read, of the objects. */
  readonly otherPolicies?: readonly OtherPolicy[];
  /** The policies of the objects, about Pods of other nodes; only where the rules of this node are made of them too. */
  readonly judgePolicies?: JudgePolicies | undefined;
}
