import { addressNumber } from '../../common/addresses/addressNumber.ts';
import type { Family } from '../../common/addresses/family.ts';
import type { Protocol } from '../../common/addresses/protocol.ts';
import { addTo } from '../../common/addTo.ts';
import type { RangeList } from '../../common/ranges/rangeList.ts';
import { union } from '../../common/ranges/valueSet.ts';
import type { Direction, NetPolicyPeers, NetPolicyRule } from '../../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../../model/policyModel.ts';
import type { PeerHome } from '../parties/peerHome.ts';
import type { PodSelection } from '../parties/podSelection.ts';
import { type AddressList, addressList } from './addressList.ts';
import { rangesOfBlocks } from './rangesOfBlocks.ts';

/** A rule with its selectors, blocks and names resolved to numbers of one family. */
export interface ResolvedRule {
  /** Undefined: every peer. */
  readonly peers: ResolvedPeers | undefined;
  /** Undefined: every port of every protocol. Empty: none (then only named ports are left). */
  readonly ports: readonly ProtocolPorts[] | undefined;
  /** What named ports mean: address of the receiver, and its port. */
  readonly named: readonly NamedTarget[];
}

export interface ResolvedPeers {
  readonly pods: AddressList;
  /** Blocks without their exceptions. */
  readonly ranges: RangeList;
}

/** Ascending within a protocol; ranges neither overlap nor touch. */
export interface ProtocolPorts {
  readonly protocol: Protocol;
  readonly first: number;
  readonly last: number;
}

export interface NamedTarget {
  readonly address: bigint;
  readonly protocol: Protocol;
  readonly port: number;
}

export type ResolveRule = (
  policy: PeerHome,
  direction: Direction,
  rule: NetPolicyRule,
  /** The selected pods that share the rules: an ingress rule's named ports are theirs. */
  subjects: readonly PolicyPod[],
) => ResolvedRule;

export function ruleResolver(model: PolicyModel, selection: PodSelection, family: Family): ResolveRule {
  const listOf = new Map<readonly PolicyPod[], AddressList>();
  const peersOf = new Map<NetPolicyRule, ResolvedPeers>();
  // Another pod may have the address of one that a selector finds: both are then found.
  const podsAt = new Map<bigint, PolicyPod[]>();
  for (const pod of model.pods) {
    if (pod.isHostNetwork) continue;
    for (const address of podAddresses(pod, family)) addTo(podsAt, address, pod);
  }
  const allAddresses = [...podsAt.keys()].sort(ascending);

  const addressesOf = (pods: readonly PolicyPod[]): AddressList => {
    const known = listOf.get(pods);
    if (known !== undefined) return known;
    const list = addressList(sortUnique(pods.flatMap((pod) => podAddresses(pod, family))));
    listOf.set(pods, list);
    return list;
  };

  const resolvePeers = (policy: PeerHome, peers: NetPolicyPeers): ResolvedPeers => {
    const lists = peers.pods.map((peer) => addressesOf(selection.peers(policy, peer)));
    const [only, ...more] = lists;
    const isOne = only !== undefined && more.length === 0;
    const pods = isOne ? only : addressList(sortUnique(lists.flatMap(({ addresses }) => addresses)));
    return { pods, ranges: rangesOfBlocks(peers.blocks, family) };
  };

  return (policy, direction, rule, subjects) => {
    const peers = rule.peers && (peersOf.get(rule) ?? resolvePeers(policy, rule.peers));
    if (peers !== undefined) peersOf.set(rule, peers);
    const names = (rule.ports ?? []).filter((port) => port.kind === 'named');
    const numbers = (rule.ports ?? []).filter((port) => port.kind === 'range');
    const targets = (addresses: readonly bigint[]): NamedTarget[] =>
      addresses.flatMap((address) =>
        (podsAt.get(address) ?? [])
          .flatMap((pod) => pod.namedPorts)
          .filter(({ name, protocol }) =>
            names.some((each) => each.name === name && (each.protocol ?? protocol) === protocol),
          )
          .map(({ protocol, port }) => ({ address, protocol, port })),
      );
    const receivers = () => {
      if (direction === 'ingress') return sortUnique(subjects.flatMap((pod) => podAddresses(pod, family)));
      return peers === undefined ? allAddresses : allAddresses.filter((address) => isPeer(peers, address));
    };
    return {
      peers,
      ports: rule.ports && mergePorts(numbers),
      named: names.length === 0 ? [] : sortTargets(targets(receivers())),
    };
  };
}

/** The same ports in ascending ranges, protocol by protocol. */
export function mergePorts(ports: readonly ProtocolPorts[]): readonly ProtocolPorts[] {
  return protocolsInOrder.flatMap((protocol) =>
    union(ports.filter((range) => range.protocol === protocol)).map(({ first, last }) => ({ protocol, first, last })),
  );
}

/** Ascending by address, protocol and port, each once. */
export function sortTargets(targets: readonly NamedTarget[]): readonly NamedTarget[] {
  const sorted = [...targets].sort(
    (a, b) =>
      ascending(a.address, b.address) || protocolOrder[a.protocol] - protocolOrder[b.protocol] || a.port - b.port,
  );
  return sorted.filter((each, at) => {
    const previous = sorted[at - 1];
    return (
      previous === undefined ||
      previous.address !== each.address ||
      previous.protocol !== each.protocol ||
      previous.port !== each.port
    );
  });
}

export function sortUnique(numbers: readonly bigint[]): readonly bigint[] {
  const sorted = [...numbers].sort(ascending);
  return sorted.filter((each, at) => at === 0 || each !== sorted[at - 1]);
}

/** By protocol number, as the kernel sorts. */
const protocolOrder: Readonly<Record<Protocol, number>> = { TCP: 6, UDP: 17, SCTP: 132 };
const protocolsInOrder = ['TCP', 'UDP', 'SCTP'] as const satisfies readonly Protocol[];

function podAddresses(pod: PolicyPod, family: Family): readonly bigint[] {
  return pod.ips.map((ip) => addressNumber(ip, family)).filter((address) => address !== undefined);
}

/** Both lists are sorted: a binary search each. */
function isPeer({ pods: { addresses: pods }, ranges }: ResolvedPeers, address: bigint): boolean {
  const at = lowerBound(pods.length, (index) => (pods[index] ?? 0n) >= address);
  if (pods[at] === address) return true;
  const range = lowerBound(ranges.length / 2, (index) => (ranges[2 * index + 1] ?? 0) >= address);
  return 2 * range < ranges.length && (ranges[2 * range] ?? 0) <= address;
}

/** The first index at which the test holds; `length`: none. */
function lowerBound(length: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
