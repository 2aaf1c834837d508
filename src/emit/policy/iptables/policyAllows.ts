import { formatAddressNumber } from '../../../common/addresses/addressNumber.ts';
import type { Family } from '../../../common/addresses/family.ts';
import type { Protocol } from '../../../common/addresses/protocol.ts';
import { prefixesOf, prefixText } from '../../../common/ranges/prefixesOf.ts';
import type { RangeList } from '../../../common/ranges/rangeList.ts';
import type { Direction, NetPolicy } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { intervalText } from '../../../policy/rules/intervalText.ts';
import {
  type NamedTarget,
  type ProtocolPorts,
  type ResolvedPeers,
  type ResolvedRule,
  ruleResolver,
} from '../../../policy/rules/resolveRule.ts';
import type { NetpolNames, NetpolSetSide } from './netpolNames.ts';

/** What a policy needs: its sets, and its rules in order. */
export interface PolicyAllows {
  readonly sets: readonly AddressSet[];
  readonly allows: Readonly<Record<Direction, readonly Allow[]>>;
}

export interface AddressSet {
  readonly name: string;
  readonly type: 'hash:ip' | 'hash:net' | 'hash:ip,port';
  /** How many members it has: they may be made again on each request. */
  readonly size: number;
  readonly members: readonly { readonly member: string; readonly isException?: boolean }[];
}

/** One condition under which traffic is allowed; what is undefined does not matter. */
export interface Allow {
  readonly tag: string;
  readonly source: string | undefined;
  readonly destination: string | undefined;
  readonly protocol: Protocol | undefined;
  /** `80`, `3000:3003`. */
  readonly ports: string | undefined;
}

export type AllowsOf = (policy: NetPolicy) => PolicyAllows;

/** The rules of the strict layout: exceptions subtracted, names resolved or without effect. */
export function strictAllows(node: NodePolicies, family: Family, names: NetpolNames): AllowsOf {
  const resolve = ruleResolver(node.model, node.selection, family);
  return (policy) => {
    const { sets, add } = setCollector(names);
    const subjects = node.selection.selectedBy(policy);
    const allows = { ingress: [] as Allow[], egress: [] as Allow[] };
    for (const direction of ['ingress', 'egress'] as const) {
      if (policy[direction] === undefined) continue;
      const own = add(direction === 'ingress' ? 'DST' : 'SRC', 'hash:ip', () => podMembers(subjects, family));
      for (const rule of policy[direction]) {
        const resolved = resolve(policy, direction, rule, subjects);
        for (const allow of ruleAllows(resolved, { direction, family, own, add })) allows[direction].push(allow);
      }
    }
    return { sets: [...sets.values()], allows };
  };
}

/** Sets that are called after what they hold. */
export function setCollector(names: NetpolNames): { readonly sets: Map<string, AddressSet>; readonly add: AddSet } {
  const sets = new Map<string, AddressSet>();
  const add: AddSet = (side, type, members) => {
    const texts = members();
    const name = names.ofContents(side, type, texts);
    sets.set(name, {
      name,
      type,
      size: texts.length,
      get members() {
        return members().map((member) => ({ member }));
      },
    });
    return name;
  };
  return { sets, add };
}

/** Notes a set and gives its name back. */
export type AddSet = (side: NetpolSetSide, type: AddressSet['type'], members: () => readonly string[]) => string;

/** What the rules of one direction of a policy share; `own` is the set of the pods that it selects, where one is asked. */
export interface RuleContext {
  readonly direction: Direction;
  readonly family: Family;
  readonly own: string | undefined;
  readonly add: AddSet;
}

/** The conditions under which a rule covers traffic. */
export function ruleAllows({ peers, ports, named: targets }: ResolvedRule, context: RuleContext): readonly Allow[] {
  const { direction, family, own, add } = context;
  const isIngress = direction === 'ingress';
  const named = namedSets(targets, family).map(({ members, protocol, port }) => ({
    protocol,
    ports: `${port}`,
    destination: add('DST', 'hash:ip', () => members),
  }));
  const allows: Allow[] = [];
  for (const { kind, set } of peerSets(peers, context)) {
    const sides = isIngress ? { source: set, destination: own } : { source: own, destination: set };
    const tag = `${direction} ${kind}`;
    for (const port of ports ?? [undefined]) {
      allows.push({ tag, ...sides, protocol: port?.protocol, ports: port && portSpan(port) });
    }
    if (isIngress) for (const port of named) allows.push({ tag: `${tag} np`, source: set, ...port });
  }
  // Towards peers the named port's set holds only peers: it replaces them.
  if (!isIngress) for (const port of named) allows.push({ tag: 'egress pods np', source: own, ...port });
  return allows;
}

/** A set for each kind of peer that the rule has; without one: everybody. */
function peerSets(
  peers: ResolvedPeers | undefined,
  { direction, family, add }: RuleContext,
): readonly { readonly kind: string; readonly set: string | undefined }[] {
  if (peers === undefined) return [{ kind: 'any', set: undefined }];
  const side = direction === 'ingress' ? 'SRC' : 'DST';
  const sets: { readonly kind: string; readonly set: string }[] = [];
  if (peers.pods.addresses.length > 0) {
    const members = () => peers.pods.addresses.map((address) => formatAddressNumber(address, family));
    sets.push({ kind: 'pods', set: add(side, 'hash:ip', members) });
  }
  if (peers.ranges.length > 0) {
    sets.push({ kind: 'cidr', set: add(side, 'hash:net', () => netMembers(peers.ranges, family)) });
  }
  return sets;
}

/** `80`, `3000:3003`; undefined: every port. */
export function portSpan({ first, last }: Pick<ProtocolPorts, 'first' | 'last'>): string | undefined {
  if (first === 0 && last === 65535) return undefined;
  return first === last ? `${first}` : `${first}:${last}`;
}

/** Addresses by port: one set and one rule each. */
export function namedSets(
  targets: readonly NamedTarget[],
  family: Family,
): readonly { readonly protocol: Protocol; readonly port: number; readonly members: readonly string[] }[] {
  const byPort = new Map<string, { protocol: Protocol; port: number; members: string[] }>();
  for (const { address, protocol, port } of targets) {
    const key = `${protocol}/${port}`;
    const group = byPort.get(key) ?? { protocol, port, members: [] };
    group.members.push(formatAddressNumber(address, family));
    byPort.set(key, group);
  }
  return [...byPort.values()].sort((a, b) =>
    a.protocol < b.protocol ? -1 : a.protocol > b.protocol ? 1 : a.port - b.port,
  );
}

export function podMembers(pods: readonly PolicyPod[], family: Family): readonly string[] {
  const isOfFamily = (ip: string) => ip.includes(':') === (family === 'ipv6');
  return [...new Set(pods.flatMap(({ ips }) => ips.filter(isOfFamily)))];
}

/** ipset's hash:net has no prefix of length 0: two halves stand for it. */
function netMembers(ranges: RangeList, family: Family): readonly string[] {
  const members: string[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    const text = intervalText(ranges, at, family);
    if (text.includes('/')) {
      members.push(text);
      continue;
    }
    const range = { first: ranges[at] as number | bigint, last: ranges[at + 1] as number | bigint };
    for (const prefix of prefixesOf(range, family)) members.push(prefixText(prefix));
  }
  if (members[0]?.endsWith('/0') !== true) return members;
  return family === 'ipv4' ? ['0.0.0.0/1', '128.0.0.0/1'] : ['::/1', '8000::/1'];
}
