import type { Finding } from '../../findings/finding.ts';
import type { FixNames } from '../../findings/fixNames.ts';
import type { HostPort } from '../../model/hostPortsOf.ts';
import type { OtherPolicy } from '../../model/policyModel.ts';
import type { Value, ValueRange } from '../../netfilter/meaning.ts';
import { endText } from '../../walk/text.ts';
import type { WalkInput } from '../../walk/walkInput.ts';
import type { NamedDestination } from '../namedThings.ts';
import { protocolName } from '../protocolName.ts';
import { type RuleCatalog, ruleCatalog } from '../ruleCatalog.ts';
import { type CatalogEntrance, ruleEntrances } from '../ruleEntrances.ts';
import type { TraceResult } from '../traceResult.ts';
import { isOfProxy } from './isOfProxy.ts';

/** What every cause is asked about: a packet with its outcomes, and what the rules have for its destination. */
export interface WhyQuestion {
  readonly result: TraceResult;
  readonly input: WalkInput;
  readonly catalog: RuleCatalog;
  /** The ways into a Service that fit the packet; host ports and what firewalls ask of a port are none. */
  readonly entrances: readonly CatalogEntrance[];
  /** The destination as sentences have it: `10.96.0.10:53/udp`. */
  readonly name: string;
  readonly known: WhyKnown;
}

/** What is known beside rules and packet. */
export interface WhyKnown {
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

/** Half a million rules are gone through only when a cause asks what they have. */
export function whyQuestion(result: TraceResult, input: WalkInput, known: WhyKnown = {}): WhyQuestion {
  const { destination, destinationPort, protocol } = result.packet;
  let catalog: RuleCatalog | undefined;
  const question: WhyQuestion = {
    result,
    input,
    get catalog() {
      catalog ??= ruleCatalog(input);
      return catalog;
    },
    get entrances() {
      return ruleEntrances(input).filter(
        (one) =>
          (one.rule === undefined || isOfProxy(one.rule.chain)) &&
          (one.address === undefined || one.address === destination) &&
          one.port === destinationPort &&
          (one.protocol === undefined || one.protocol === protocol),
      );
    },
    known,
    name: `${endText(destination, destinationPort)}/${protocolName(protocol)}`,
  };
  return question;
}
