import type { Family } from '../../../common/family.ts';
import type { NetPolicy, NetPolicyRule } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import { canonicalMembers } from '../../../netfilter/ipset/canonicalMember.ts';
import { addressNumber } from '../../../policy/addressRanges.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import type { NamedTarget } from '../../../policy/resolveRule.ts';
import type { NetpolNames } from './netpolNames.ts';
import { type AddressSet, type Allow, type AllowsOf, namedSets, podMembers } from './policyAllows.ts';

/** The rules that kube-router 2.11 writes, with its faults: this layout is for comparing with its nodes. */
export function kubeRouterAllows(node: NodePolicies, family: Family, names: NetpolNames): AllowsOf {
  return (policy) => {
    const sets: AddressSet[] = [];
    const allows = { ingress: [] as Allow[], egress: [] as Allow[] };
    const selected = node.selection.selectedBy(policy);
    const add = (name: string, type: AddressSet['type'], members: AddressSet['members']) => {
      sets.push({ name, type, members: lastOfEach(type, members) });
      return name;
    };
    for (const direction of ['ingress', 'egress'] as const) {
      if (policy[direction] === undefined) continue;
      const own = add(names.selected(policy, direction), 'hash:ip', plain(podMembers(selected, family)));
      for (const [index, rule] of policy[direction].entries()) {
        const peers = peerPods(node, policy, rule);
        const blocks = blockMembers(rule, family);
        // Without peers, names are looked up among the pods of the policy's namespace only.
        const receivers =
          direction === 'ingress' ? selected : rule.peers === undefined ? neighbours(node, policy) : peers;
        const ports = (rule.ports ?? []).filter((port) => port.kind === 'range');
        const named = namedSets(targetsOf(rule, receivers, family), family).map(({ members, protocol, port }, at) => ({
          protocol,
          ports: `${port}`,
          set: add(names.namedPort(policy, direction, index, at), 'hash:ip', plain(members)),
        }));
        const push = (kind: string, peer: string | undefined, part: Partial<Allow>) => {
          const sides =
            direction === 'ingress' ? { source: peer, destination: own } : { source: own, destination: peer };
          allows[direction].push({
            tag: `${direction} ${kind}`,
            ...sides,
            protocol: undefined,
            ports: undefined,
            ...part,
          });
        };
        const pushPorts = (kind: string, peer: string | undefined) => {
          for (const { protocol, first, last } of ports) {
            const isWhole = first === 0 && last === 65535;
            push(kind, peer, {
              protocol,
              ports: isWhole ? undefined : first === last ? `${first}` : `${first}:${last}`,
            });
          }
        };
        const pushNamed = (kind: string, peer: string | undefined) => {
          for (const { protocol, ports: number, set } of named) {
            push(`${kind} np`, peer, {
              protocol,
              ports: number,
              ...(direction === 'ingress' || kind === 'pods' ? { destination: set } : {}),
            });
          }
        };
        // Its fault: names that resolve to nothing leave no port, and no port means all.
        const hasNoPort = ports.length === 0 && named.length === 0;
        if (peers.length > 0) {
          const set = add(names.peers(policy, direction, index, 'pod'), 'hash:ip', plain(podMembers(peers, family)));
          pushPorts('pods', set);
          pushNamed('pods', set);
          if (hasNoPort) push('pods', set, {});
        }
        if (rule.peers === undefined) {
          pushPorts('any', undefined);
          pushNamed('any', undefined);
          if (rule.ports === undefined) push('any', undefined, {});
        }
        if (blocks.length > 0) {
          const set = add(names.peers(policy, direction, index, 'ipblock'), 'hash:net', blocks);
          pushPorts('cidr', set);
          if (direction === 'ingress') pushNamed('cidr', set);
          if (direction === 'ingress' ? hasNoPort : rule.ports === undefined) push('cidr', set, {});
        }
      }
    }
    return { sets, allows };
  };
}

/** kube-router adds with `-exist`: of two equal members the later one says whether it is an exception. */
function lastOfEach(type: AddressSet['type'], members: AddressSet['members']): AddressSet['members'] {
  const byValue = new Map<string, AddressSet['members'][number]>();
  for (const each of members) byValue.set(canonicalMembers(type, each.member).join(), each);
  return [...byValue.values()];
}

function plain(members: readonly string[]): AddressSet['members'] {
  return members.map((member) => ({ member }));
}

function peerPods({ selection }: NodePolicies, policy: NetPolicy, rule: NetPolicyRule): readonly PolicyPod[] {
  const found = (rule.peers ?? []).flatMap((peer) => (peer.kind === 'pods' ? selection.peers(policy, peer) : []));
  return [...new Set(found)];
}

function neighbours({ model }: NodePolicies, { namespace }: NetPolicy): readonly PolicyPod[] {
  return model.pods.filter((pod) => pod.namespace === namespace && !pod.isHostNetwork && pod.ips.length > 0);
}

function targetsOf(rule: NetPolicyRule, receivers: readonly PolicyPod[], family: Family): readonly NamedTarget[] {
  const names = (rule.ports ?? []).filter((port) => port.kind === 'named');
  if (names.length === 0) return [];
  return receivers.flatMap((pod) =>
    pod.ips.flatMap((ip) => {
      const address = addressNumber(ip, family);
      const ports = pod.namedPorts.filter(({ name, protocol }) =>
        names.some((each) => each.name === name && each.protocol === protocol),
      );
      return address === undefined ? [] : ports.map(({ protocol, port }) => ({ address, protocol, port }));
    }),
  );
}

/** All blocks of a rule share one set, in which an exception of one also hits the others. */
function blockMembers(rule: NetPolicyRule, family: Family): AddressSet['members'] {
  return (rule.peers ?? []).flatMap((peer) => {
    if (peer.kind !== 'ipBlock' || peer.cidr.family !== family) return [];
    return [
      ...halves(peer.cidr.text, family).map((member) => ({ member })),
      ...peer.except.flatMap(({ text }) => halves(text, family).map((member) => ({ member, isException: true }))),
    ];
  });
}

/** For IPv6, kube-router takes "everything" for global and unique local addresses. */
function halves(cidr: string, family: Family): readonly string[] {
  if (!cidr.endsWith('/0')) return [cidr];
  return family === 'ipv4' ? ['0.0.0.0/1', '128.0.0.0/1'] : ['2000::/3', 'fd00::/8'];
}
