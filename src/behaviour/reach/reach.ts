import type { Family } from '../../common/addresses/family.ts';
import { ascending } from '../../common/ascending.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { union, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { OtherPolicy } from '../../model/policyModel.ts';
import type { TracePacket } from '../../trace/question/tracePacket.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import type { BehaviourOptions } from '../behaviourOptions.ts';
import type { BehaviourSide } from '../behaviourSide.ts';
import { compareBehaviour } from '../compareBehaviour.ts';
import type { Distribution } from '../outcome/distribution.ts';
import { outcomeKey } from '../outcome/outcomeKey.ts';
import type { AddressKind, DestinationName } from '../packets/destinationNames.ts';
import type { Destination } from '../packets/destinations.ts';
import { areEndpoints, type SenderKind } from '../packets/senderKinds.ts';

/** Who reaches what on one node, and how. */
export interface Reach {
  readonly name: string;
  readonly rows: readonly ReachRow[];
  readonly families: readonly Family[];
  /** Conditions with an unknown answer. */
  readonly unknown: readonly { readonly text: string; readonly rule: string }[];
  readonly assumed: readonly string[];
  /**
   * Policies of kinds that are not read, and whose rules the dump does not show: they may stop packets that seem to
   * arrive.
   */
  readonly otherPolicies?: readonly OtherPolicy[];
}

/** A destination: an address with a port, or all other ports and protocols of an address. */
export interface ReachRow {
  readonly destination: Destination;
  readonly name: DestinationName;
  readonly classes: readonly ReachClass[];
}

/** Senders of one entrance with equal outcomes. */
export interface ReachClass {
  readonly entrance: SenderKind;
  /** One of their packets. */
  readonly packet: TracePacket;
  readonly protocols: readonly number[];
  readonly sources: ValueSet;
  readonly outcome: Distribution;
}

export type ReachOptions = Pick<BehaviourOptions, 'service' | 'entrances' | 'to' | 'state' | 'isOfServicePorts'>;

/** Walks all classes of packets through the rules of a node, and gives the outcome of each. */
export function reach(side: BehaviourSide, options: ReachOptions = {}): Reach {
  const walked = compareBehaviour(side, side, { ...options, keepsSame: true });
  const byDestination = new Map<Destination, BehaviourFinding[]>();
  for (const finding of walked.findings) {
    const known = byDestination.get(finding.destination);
    if (known === undefined) byDestination.set(finding.destination, [finding]);
    else known.push(finding);
  }
  const rows = [...byDestination].map(([destination, findings]): ReachRow => {
    const [first] = findings as [BehaviourFinding, ...BehaviourFinding[]];
    return { destination, name: first.name, classes: joined(findings) };
  });
  const unknown = new Map(walked.unknown.map(({ text, rule }) => [`${text} ${rule}`, { text, rule }]));
  return {
    name: side.name,
    rows: rows.sort(byService),
    families: walked.families,
    unknown: [...unknown.values()],
    assumed: walked.assumed,
  };
}

/** Senders of one entrance that see the same: each itself, another, or nothing. */
function joined(findings: readonly BehaviourFinding[]): readonly ReachClass[] {
  const known = new Map<string, ReachClass>();
  for (const { entrance, packet, protocols, sources, a } of findings) {
    const key = `${entrance} ${packet.family} ${seenBy(packet, a, entrance)}`;
    const before = known.get(key);
    known.set(
      key,
      before === undefined
        ? { entrance, packet, protocols, sources: union(sources), outcome: a }
        : {
            ...before,
            protocols: [...new Set([...before.protocols, ...protocols])],
            sources: union([...before.sources, ...sources]),
          },
    );
  }
  return [...known.values()];
}

/**
 * What a sender sees, regardless of the sender. Endpoints that meet themselves and others are the same, whichever they
 * are.
 */
function seenBy({ source, protocol, family }: TracePacket, outcome: Distribution, entrance: SenderKind): string {
  const texts = [...outcome.outcomes.values()].map(({ outcome: one, share }) => {
    const as = one.source === undefined || one.source === source ? 'own' : String(one.source);
    const { at, kind, staysFor } = one;
    if (kind === 'arrives' || kind === 'leaves') {
      const isOfEndpoint = areEndpoints(entrance) && kind === 'arrives';
      const end = isOfEndpoint ? (at?.address === source ? 'itself' : 'another') : `${at?.address}`;
      return `${kind} ${end} ${at?.port} ${as} ${staysFor ?? ''} ${share.toFixed(6)}`;
    }
    return `${outcomeKey(one, protocol, family === 'ipv6')} ${share.toFixed(6)}`;
  });
  return `${outcome.isOpen} ${texts.sort().join(', ')}`;
}

/** By Service; in each, the addresses that most clients use come first. */
function byService(one: ReachRow, other: ReachRow): number {
  return (
    Number(one.name.service === undefined) - Number(other.name.service === undefined) ||
    compareBytes(one.name.service ?? '', other.name.service ?? '') ||
    kinds.indexOf(one.name.kind) - kinds.indexOf(other.name.kind) ||
    byAddress(one.destination.address, other.destination.address) ||
    Number(one.destination.use === 'other') - Number(other.destination.use === 'other') ||
    (one.destination.protocolPorts[0]?.port ?? 0) - (other.destination.protocolPorts[0]?.port ?? 0) ||
    (one.destination.protocolPorts[0]?.protocol ?? 0) - (other.destination.protocolPorts[0]?.protocol ?? 0)
  );
}

const kinds: readonly AddressKind[] = ['clusterIP', 'externalIP', 'loadBalancerIP', 'nodePort', 'node', 'pod', 'other'];

function byAddress(one: Value, other: Value): number {
  if (typeof one !== typeof other) return typeof one === 'bigint' ? 1 : -1;
  return ascending<Value>(one, other);
}
