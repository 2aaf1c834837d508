import type { Family } from '../../../common/family.ts';
import type { Protocol } from '../../../common/protocol.ts';
import type { Direction, NetPolicy } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import { type AddressRange, formatAddress, prefixesOf } from '../../../policy/addressRanges.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { type NamedTarget, ruleResolver } from '../../../policy/resolveRule.ts';
import type { NetpolNames, SetSide } from './netpolNames.ts';

/** What a policy needs: its sets, and its rules in order. */
export interface PolicyAllows {
  readonly sets: readonly AddressSet[];
  readonly allows: Readonly<Record<Direction, readonly Allow[]>>;
}

export interface AddressSet {
  readonly name: string;
  readonly type: 'hash:ip' | 'hash:net' | 'hash:ip,port';
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
    const sets = new Map<string, AddressSet>();
    const add = (side: SetSide, type: AddressSet['type'], members: readonly string[]) => {
      const name = names.ofContents(side, type, members);
      sets.set(name, { name, type, members: members.map((member) => ({ member })) });
      return name;
    };
    const subjects = node.selection.selectedBy(policy);
    const allows = { ingress: [] as Allow[], egress: [] as Allow[] };
    for (const direction of ['ingress', 'egress'] as const) {
      if (policy[direction] === undefined) continue;
      const [ownSide, peerSide] = direction === 'ingress' ? (['DST', 'SRC'] as const) : (['SRC', 'DST'] as const);
      const own = add(ownSide, 'hash:ip', podMembers(subjects, family));
      for (const rule of policy[direction]) {
        const resolved = resolve(policy, direction, rule, subjects);
        const { peers, ports } = resolved;
        const named = namedSets(resolved.named, family).map(({ members, ...port }) => ({
          ...port,
          set: add('DST', 'hash:ip', members),
        }));
        const kinds: { readonly kind: string; readonly set: string | undefined }[] = [];
        if (peers === undefined) kinds.push({ kind: 'any', set: undefined });
        if (peers !== undefined && peers.pods.addresses.length > 0) {
          const members = peers.pods.addresses.map((address) => formatAddress(address, family));
          kinds.push({ kind: 'pods', set: add(peerSide, 'hash:ip', members) });
        }
        if (peers !== undefined && peers.ranges.length > 0) {
          const members = peers.ranges.flatMap((range) => netMembers(range, family));
          kinds.push({ kind: 'cidr', set: add(peerSide, 'hash:net', members) });
        }
        for (const { kind, set } of kinds) {
          const sides = direction === 'ingress' ? { source: set, destination: own } : { source: own, destination: set };
          const tag = `${direction} ${kind}`;
          for (const port of ports ?? [undefined]) {
            const isWhole = port === undefined || (port.first === 0 && port.last === 65535);
            const span = isWhole
              ? undefined
              : port.first === port.last
                ? `${port.first}`
                : `${port.first}:${port.last}`;
            allows[direction].push({ tag, ...sides, protocol: port?.protocol, ports: span });
          }
          if (direction === 'egress') continue;
          for (const { protocol, port, set: receivers } of named) {
            allows.ingress.push({ tag: `${tag} np`, source: set, destination: receivers, protocol, ports: `${port}` });
          }
        }
        // Towards peers the named port's set holds only peers: it replaces them.
        if (direction === 'egress') {
          for (const { protocol, port, set } of named) {
            allows.egress.push({ tag: 'egress pods np', source: own, destination: set, protocol, ports: `${port}` });
          }
        }
      }
    }
    return { sets: [...sets.values()], allows };
  };
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
    group.members.push(formatAddress(address, family));
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
function netMembers(range: AddressRange, family: Family): readonly string[] {
  return prefixesOf(range, family).flatMap((prefix) => {
    if (!prefix.endsWith('/0')) return [prefix];
    return family === 'ipv4' ? ['0.0.0.0/1', '128.0.0.0/1'] : ['::/1', '8000::/1'];
  });
}
