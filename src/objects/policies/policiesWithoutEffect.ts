import { addressNumber } from '../../common/addresses/addressNumber.ts';
import type { Family } from '../../common/addresses/family.ts';
import { addTo } from '../../common/addTo.ts';
import { rangeOfCidr } from '../../common/ranges/addressRange.ts';
import { without } from '../../common/ranges/valueSet.ts';
import type { NetPolicy, NetPolicyPeer, NetPolicyRule } from '../../model/netPolicy.ts';
import { type PolicyManifests, type PolicyModel, type PolicyPod, readPolicyModel } from '../../model/policyModel.ts';
import { type PodSelection, podSelection } from '../../policy/parties/podSelection.ts';
import type { ObjectProblem } from '../objectProblem.ts';

/**
 * K8N905: policies that select no Pod, or allow a named port that no Pod at the receiving end has: one that is selected
 * (ingress), one of the rule's peers (egress). Without Pods given nothing can be said.
 */
export function policiesWithoutEffect(manifests: PolicyManifests): readonly ObjectProblem[] {
  if (manifests.pods.length === 0 || manifests.networkPolicies.length === 0) return [];
  // Labels and ports count, whether a Pod has its address yet or, of a Job, has ended: the next one is like it.
  const model = readPolicyModel({ ...manifests, pods: manifests.pods.map(unfinished) });
  const selection = podSelection(model, () => true);
  const hasPort = model.pods.every(({ hasKnownPorts }) => hasKnownPorts) ? portIndex(model, selection) : anyPort;
  return model.policies.flatMap((policy) => {
    const { id, origin } = policy;
    const add = (what: string): ObjectProblem => ({ code: 'K8N905', what, places: [origin] });
    // What the input does not show may be there.
    if (selection.maybeSelectedBy(policy).length > 0) return [];
    const selected = selection.selectedBy(policy);
    if (selected.length === 0) return [add(`NetworkPolicy ${id} selects no Pod`)];
    const missing = new Map<string, string>();
    for (const port of (policy.ingress ?? []).flatMap(namedPorts)) {
      if (!hasPort.amongst(selected, port)) missing.set(port, 'no Pod has');
    }
    for (const rule of policy.egress ?? []) {
      for (const port of namedPorts(rule)) {
        if (!hasPort.anywhere(port)) missing.set(port, 'no Pod has');
        else if (!hasPort.behind(policy, rule, port)) missing.set(port, 'no Pod that it lets them reach has');
      }
    }
    return [...missing].map(([port, who]) => add(`NetworkPolicy ${id} allows port ${port}, which ${who}`));
  });
}

function unfinished(pod: PolicyManifests['pods'][number]): PolicyManifests['pods'][number] {
  return { ...pod, value: { ...pod.value, status: { ...pod.value.status, phase: 'Running' } } };
}

/** The owners of a port, `http/TCP`. */
interface PortIndex {
  readonly anywhere: (port: string) => boolean;
  readonly amongst: (pods: readonly PolicyPod[], port: string) => boolean;
  readonly behind: (policy: NetPolicy, rule: NetPolicyRule, port: string) => boolean;
}

/** Where the input does not show names of ports, none is missing. */
const anyPort: PortIndex = { anywhere: () => true, amongst: () => true, behind: () => true };

/** Ports of equal lists are gathered once, and blocks are looked up in the sorted addresses of a port. */
function portIndex({ pods }: PolicyModel, selection: PodSelection): PortIndex {
  const known = new Map<readonly PolicyPod[], ReadonlySet<string>>();
  const portsOf = (list: readonly PolicyPod[]): ReadonlySet<string> => {
    const ports = known.get(list) ?? new Set(list.flatMap(portsOfPod));
    known.set(list, ports);
    return ports;
  };
  const amongst: PortIndex['amongst'] = (list, port) => portsOf(list).has(port);
  const byPort = groupByPort(pods);
  const addresses = new Map<string, readonly bigint[]>();
  const addressesOf = (port: string, family: Family): readonly bigint[] => {
    const key = `${family} ${port}`;
    const sorted = addresses.get(key) ?? sortedAddresses(byPort.get(port) ?? [], family);
    addresses.set(key, sorted);
    return sorted;
  };
  const isPeer = (policy: NetPolicy, peer: NetPolicyPeer, port: string): boolean => {
    if (peer.kind === 'pods') return amongst(selection.peers(policy, peer), port);
    if (peer.kind === 'nobody') return false;
    const { family } = peer.cidr;
    const except = peer.except.filter((cidr) => cidr.family === family).map(rangeOfCidr);
    return without(rangeOfCidr(peer.cidr), except).some(({ first, last }) => {
      const next = firstFrom(addressesOf(port, family), first);
      return next !== undefined && next <= last;
    });
  };
  return {
    anywhere: (port) => byPort.has(port),
    amongst,
    behind: (policy, { peers }, port) => peers === undefined || peers.all.some((peer) => isPeer(policy, peer, port)),
  };
}

function namedPorts({ ports }: NetPolicyRule): readonly string[] {
  return (ports ?? []).flatMap((port) => (port.kind === 'named' ? [`${port.name}/${port.protocol}`] : []));
}

function portsOfPod({ namedPorts: ports }: PolicyPod): readonly string[] {
  return ports.map(({ name, protocol }) => `${name}/${protocol}`);
}

function groupByPort(pods: readonly PolicyPod[]): ReadonlyMap<string, readonly PolicyPod[]> {
  const groups = new Map<string, PolicyPod[]>();
  for (const pod of pods) for (const port of portsOfPod(pod)) addTo(groups, port, pod);
  return groups;
}

function sortedAddresses(pods: readonly PolicyPod[], family: Family): readonly bigint[] {
  const all = pods.flatMap(({ ips }) => ips.map((ip) => addressNumber(ip, family)));
  return all.filter((address) => address !== undefined).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The first of ascending numbers that is no less, by halving. */
function firstFrom(numbers: readonly bigint[], least: bigint): bigint | undefined {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as bigint) < least) low = middle + 1;
    else high = middle;
  }
  return numbers[low];
}
