import { addTo } from '../../common/addTo.ts';
import { ascending } from '../../common/ascending.ts';
import { joinRanges, type RangeList } from '../../common/ranges/rangeList.ts';
import { type AddressList, addressList } from './addressList.ts';
import { contentName } from './contentName.ts';
import {
  mergePorts,
  type NamedTarget,
  type ProtocolPorts,
  type ResolvedRule,
  sortTargets,
  sortUnique,
} from './resolveRule.ts';

/** One condition under which traffic is allowed: a peer and a port that match. */
export interface RuleGroup {
  readonly peers: PeerMatch;
  readonly ports: PortMatch;
  /** Ids of the policies it comes from, sorted as they came. */
  readonly policies: readonly string[];
}

export type PeerMatch =
  | { readonly kind: 'any' }
  | ({ readonly kind: 'pods' } & AddressList)
  | { readonly kind: 'nets'; readonly ranges: RangeList; readonly name: string };

export type PortMatch =
  | { readonly kind: 'any' }
  | { readonly kind: 'ports'; readonly ranges: readonly ProtocolPorts[]; readonly name: string }
  /** The receiver's address and port together. */
  | { readonly kind: 'named'; readonly targets: readonly NamedTarget[]; readonly name: string };

/**
 * The union of rules as few conditions: rules with the same ports become one with all their peers, then those with the
 * same peers one with all their ports. Both are exact, and their order does not matter. Peers times ports is never
 * spelt out.
 */
export function ruleGroups(
  rules: readonly { readonly policy: string; readonly rule: ResolvedRule }[],
  direction: 'ingress' | 'egress',
): readonly RuleGroup[] {
  const parts = rules.flatMap(({ policy, rule }) => partsOf(rule, direction).map((part) => ({ ...part, policy })));
  const byPorts = merge(
    parts,
    ({ ports }) => portMatchName(ports),
    ([first, ...more]) => {
      if (first === undefined) return [];
      return mergePeers([first, ...more].flatMap(({ peers }) => peers)).map((peers) => ({ peers, ports: first.ports }));
    },
  );
  const byPeers = merge(
    byPorts,
    ({ peers, ports }) => `${peerMatchName(peers)} ${ports.kind === 'named'}`,
    (group) => {
      const [first] = group;
      return first === undefined
        ? []
        : [{ peers: first.peers, ports: mergePortMatches(group.map(({ ports }) => ports)) }];
    },
  );
  const everything = byPeers.filter(({ peers, ports }) => peers.kind === 'any' && ports.kind === 'any');
  const groups = everything.length > 0 ? everything : byPeers;
  const keyed = groups.map((group) => ({
    group,
    key: `${rank(group)} ${peerMatchName(group.peers)} ${portMatchName(group.ports)}`,
  }));
  return keyed.sort((a, b) => ascending(a.key, b.key)).map(({ group }) => group);
}

interface Part {
  readonly peers: readonly PeerPart[];
  readonly ports: PortMatch;
}

/** Ranges are named once they are merged: their names are hashes of all of them. */
type PeerPart = Exclude<PeerMatch, { readonly kind: 'nets' }> | { readonly kind: 'ranges'; readonly ranges: RangeList };

function partsOf({ peers, ports, named }: ResolvedRule, direction: 'ingress' | 'egress'): Part[] {
  const any: readonly PeerPart[] = [{ kind: 'any' }];
  const matches: PeerPart[] = [];
  if (peers !== undefined && peers.pods.addresses.length > 0) matches.push({ kind: 'pods', ...peers.pods });
  if (peers !== undefined && peers.ranges.length > 0) matches.push({ kind: 'ranges', ranges: peers.ranges });
  const who = peers === undefined ? any : matches;
  if (who.length === 0) return [];
  if (ports === undefined) return [{ peers: who, ports: { kind: 'any' } }];
  const parts: Part[] = [];
  if (ports.length > 0) parts.push({ peers: who, ports: portsMatch(ports) });
  // Towards peers, a named port's target is the peer itself: one lookup says both.
  if (named.length > 0) parts.push({ peers: direction === 'egress' ? any : who, ports: namedMatch(named) });
  return parts;
}

function merge<T extends { readonly policy: string } | { readonly policies: readonly string[] }, R extends object>(
  items: readonly T[],
  keyOf: (item: T) => string,
  join: (group: readonly T[]) => readonly R[],
): (R & { readonly policies: readonly string[] })[] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    addTo(groups, key, item);
  }
  return [...groups.values()].flatMap((group) => {
    const ids = group.flatMap((item) => ('policy' in item ? [item.policy] : item.policies));
    const policies = [...new Set(ids)].sort();
    return join(group).map((joined) => ({ ...joined, policies }));
  });
}

function mergePeers(peers: readonly PeerPart[]): readonly PeerMatch[] {
  if (peers.some(({ kind }) => kind === 'any')) return [{ kind: 'any' }];
  const podLists = new Map(peers.flatMap((peer) => (peer.kind === 'pods' ? [[peer.name, peer] as const] : [])));
  const lists = peers.flatMap((peer) => (peer.kind === 'ranges' ? [peer.ranges] : []));
  const merged: PeerMatch[] = [];
  const [only, ...more] = podLists.values();
  if (only !== undefined) {
    const all = () => addressList(sortUnique([only, ...more].flatMap(({ addresses }) => addresses)));
    merged.push(more.length === 0 ? only : { kind: 'pods', ...all() });
  }
  if (lists.length > 0) merged.push(netsMatch(joinRanges(lists)));
  return merged;
}

/** Named ports are never mixed with others here. */
function mergePortMatches(ports: readonly PortMatch[]): PortMatch {
  const any = ports.find(({ kind }) => kind === 'any');
  if (any !== undefined) return any;
  const targets = ports.flatMap((port) => (port.kind === 'named' ? port.targets : []));
  if (targets.length > 0) return namedMatch(sortTargets(targets));
  return portsMatch(mergePorts(ports.flatMap((port) => (port.kind === 'ports' ? port.ranges : []))));
}

/** Cheap conditions that cover much come first. */
function rank({ peers, ports }: RuleGroup): string {
  const order = { any: '0', pods: '1', nets: '2' } as const;
  const portOrder = { any: '0', ports: '1', named: '2' } as const;
  return order[peers.kind] + portOrder[ports.kind];
}

/** What a match consists of, short: equal texts are equal matches, and sets are named so. */
export function peerMatchName(peers: PeerMatch): string {
  return peers.kind === 'any' ? 'any' : peers.name;
}

export function portMatchName(ports: PortMatch): string {
  return ports.kind === 'any' ? 'any' : ports.name;
}

function netsMatch(ranges: RangeList): PeerMatch {
  // In parts, as garbage that is old costs most.
  const parts: string[] = [];
  let part: string[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    part.push(`${ranges[at]}-${ranges[at + 1]}`);
    if (part.length < 1000) continue;
    parts.push(part.join());
    part = [];
  }
  if (part.length > 0) parts.push(part.join());
  return { kind: 'nets', ranges, name: contentName('nets', parts.join()) };
}

function portsMatch(ranges: readonly ProtocolPorts[]): PortMatch {
  const content = ranges.map(({ protocol, first, last }) => `${protocol} ${first}-${last}`);
  return { kind: 'ports', ranges, name: contentName('ports', content.join()) };
}

function namedMatch(targets: readonly NamedTarget[]): PortMatch {
  const content = targets.map(({ address, protocol, port }) => `${address} ${protocol} ${port}`);
  return { kind: 'named', targets, name: contentName('named', content.join()) };
}
