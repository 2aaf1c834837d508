import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { cidrContains, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { ascending } from '../../common/ascending.ts';
import { pushAll } from '../../common/pushAll.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Origin, Report } from '../../diagnostics/diagnostic.ts';
import type { NodeFacts } from '../../model/nodeFacts.ts';
import { isOwnedBy, podsOfWorkloads } from '../../model/podsOfWorkloads.ts';
import { namespaceOf } from '../../validate/fields/describe.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { Manifests, NodeObject, PodObject, WorkloadObject } from '../../validate/kinds/manifests.ts';
import type { TargetOptions } from '../targetOptions.ts';
import { usedAddresses } from './usedAddresses.ts';

/**
 * The range for Pods' addresses if neither a Node nor the command line gives one: the usual one of flannel and kubeadm.
 */
const defaultPodCIDR = '10.244.0.0/24';

/** Addresses .0 to .9 of a range are left to gateways and bridges. */
const firstPodOffset = 10;

/** Objects that show which Pods exist, and which addresses are used. */
export type AssumeFrom = Pick<Manifests, 'workloads' | 'nodes' | 'pods' | 'endpoints' | 'endpointSlices'>;

/**
 * The given Pods, and those that workloads would start: all ready, spread over the Nodes in turn (every Node gets one
 * of a DaemonSet), with addresses counted up from the Node's pod CIDR, in the order of the workloads' names. Workloads
 * whose Pods or ReplicaSets are given start none; a given Pod without any status, as in a repository, gets an address
 * too. No used address is assigned again. The same input gives the same Pods. Notes list them, since real addresses
 * will differ.
 */
export function assumePods(
  manifests: AssumeFrom,
  node: NodeFacts,
  options: TargetOptions,
  report: Report,
): readonly Manifest<PodObject>[] {
  const places = placesOf(manifests.nodes, node, options);
  const { podAddresses: kept = {} } = options;
  const used = new Set([...usedAddresses(manifests), ...Object.values(kept).flat()]);
  const addresses: Addresses = { offsets: new Map(), used, kept: new Map(Object.entries(kept)) };
  const pods = manifests.pods.map((pod, at) => startedPod(pod, at, places, addresses, report));
  const sorted = startedWorkloads(manifests).sort((a, b) => ascending(sortKey(a.value), sortKey(b.value)));
  for (const workload of sorted) pushAll(pods, podsOf(workload, places, addresses, report));
  return pods;
}

/** Those that are not started yet, as far as the objects show. */
function startedWorkloads({ workloads, pods }: AssumeFrom): Manifest<WorkloadObject>[] {
  const given = podsOfWorkloads(workloads, pods);
  const sets = workloads.filter(({ value }) => value.kind === 'ReplicaSet');
  return workloads.filter((workload) => {
    if (given.has(workload)) return false;
    const { namespace } = workload.value.metadata;
    const isOwn = ({ value }: Manifest<WorkloadObject>) =>
      (value.metadata.namespace ?? 'default') === (namespace ?? 'default') && isOwnedBy(value.metadata, workload.value);
    return workload.value.kind !== 'Deployment' || !sets.some(isOwn);
  });
}

function podsOf(
  workload: Manifest<WorkloadObject>,
  places: readonly Place[],
  addresses: Addresses,
  report: Report,
): readonly Manifest<PodObject>[] {
  const { template } = workload.value.spec;
  if (!template) return [];
  const { kind, metadata } = workload.value;
  const pods: Manifest<PodObject>[] = [];
  const made: string[] = [];
  const count = podCount(workload.value, places.length);
  for (let at = 0; at < count; at++) {
    const place = places[at % places.length] as Place;
    const id = `${namespaceOf(metadata)}/${metadata.name}-${at}`;
    const ips = template.spec?.hostNetwork === true ? place.nodeIPs : addressesOf(id, place, addresses);
    if (ips.length === 0) {
      reportExhausted(place, describe(workload.value), workload.origin, report);
      break;
    }
    made.push(`${ips.join(' ')} on ${place.name}`);
    const value = {
      metadata: {
        name: `${metadata.name}-${at}`,
        namespace: metadata.namespace ?? 'default',
        labels: template.metadata?.labels ?? {},
        ownerReferences: [{ kind, name: metadata.name }],
      },
      spec: { ...template.spec, ...namesOf(workload.value, at), nodeName: place.name },
      status: statusWith(ips),
    };
    pods.push({ origin: workload.origin, value });
  }
  report({
    code: 'assumed-pods',
    severity: 'note',
    message: `${made.length === 1 ? '1 Pod is' : `${made.length} Pods are`} assumed for ${describe(workload.value)}${made.length === 0 ? '' : ': '}${firstFew(made, 20)}`,
    at: [workload.origin],
  });
  return pods;
}

/** A Pod from a repository, with the address that it would get; a Pod from a cluster stays as it is. */
function startedPod(
  pod: Manifest<PodObject>,
  at: number,
  places: readonly Place[],
  addresses: Addresses,
  report: Report,
): Manifest<PodObject> {
  const { value, origin } = pod;
  if (value.status && Object.keys(value.status).length > 0) return pod;
  const named = places.find(({ name }) => name === value.spec?.nodeName);
  const place = named ?? (places[at % places.length] as Place);
  const id = `${namespaceOf(value.metadata)}/${value.metadata.name}`;
  const ips = value.spec?.hostNetwork === true ? place.nodeIPs : addressesOf(id, place, addresses);
  const name = `Pod ${id}`;
  if (ips.length === 0) {
    reportExhausted(place, name, origin, report);
    return pod;
  }
  report({
    code: 'assumed-pods',
    severity: 'note',
    message: `${name} is assumed at ${ips.join(' ')}`,
    at: [origin],
    facts: { isBarePod: true },
  });
  const spec = { ...value.spec, nodeName: value.spec?.nodeName || place.name };
  return { ...pod, value: { ...value, spec, status: statusWith(ips) } };
}

function statusWith(ips: readonly string[]): PodObject['status'] {
  return {
    phase: 'Running',
    ...(ips[0] === undefined ? {} : { podIP: ips[0] }),
    podIPs: ips.map((ip) => ({ ip })),
    conditions: [{ type: 'Ready', status: 'True' }],
  };
}

function reportExhausted(place: Place, whose: string, at: Origin, report: Report): void {
  report({
    code: 'range-exhausted',
    severity: 'error',
    message: `no address is left in ${place.podCIDRs.join(', ')} for the Pods of ${whose}`,
    at: [at],
    hint: 'give a larger --pod-cidr',
  });
}

/** The state of allocation: the next offset of each range, and all used addresses. */
interface Addresses {
  readonly offsets: Map<string, number>;
  readonly used: Set<string>;
  readonly kept: ReadonlyMap<string, readonly string[]>;
}

interface Place {
  readonly name: string;
  readonly podCIDRs: readonly string[];
  readonly nodeIPs: readonly string[];
}

function placesOf(nodes: readonly Manifest<NodeObject>[], node: NodeFacts, options: TargetOptions): readonly Place[] {
  const given = options.podCIDRs ?? [];
  const own: Place = {
    name: node.name,
    podCIDRs: given.length > 0 ? given : node.podCIDRs.length > 0 ? node.podCIDRs : [defaultPodCIDR],
    nodeIPs: [node.ip[node.primaryFamily]],
  };
  const places = nodes.map(({ value }): Place => {
    const cidrs = value.spec?.podCIDRs ?? (value.spec?.podCIDR ? [value.spec.podCIDR] : []);
    const addresses = (value.status?.addresses ?? []).filter(({ type }) => type === 'InternalIP');
    return {
      name: value.metadata.name,
      podCIDRs: given.length > 0 ? given : cidrs.length > 0 ? cidrs : [defaultPodCIDR],
      nodeIPs: addresses.map(({ address }) => address).slice(0, 2),
    };
  });
  const hasOwn = places.some((place) => place.name.toLowerCase() === node.name);
  return hasOwn ? places.sort((a, b) => ascending(a.name, b.name)) : [own];
}

/** Those that the Pod keeps, if they are still in the ranges of its place; new ones for any other Pod. */
function addressesOf(id: string, place: Place, addresses: Addresses): readonly string[] {
  const kept = addresses.kept.get(id) ?? [];
  const isOfPlace = (ip: string) => place.podCIDRs.some((cidr) => cidrContains(cidr, ip));
  return kept.length > 0 && kept.every(isOfPlace) ? kept : nextAddresses(place, addresses);
}

/** One address of each family for the place, counted up past used ones; empty if a range is full. */
function nextAddresses(place: Place, { offsets, used }: Addresses): readonly string[] {
  const ips: string[] = [];
  const families = new Set<Family>();
  for (const text of place.podCIDRs) {
    const cidr = parseCidr(text);
    if (cidr === undefined || families.has(cidr.family)) continue;
    families.add(cidr.family);
    let offset = offsets.get(cidr.text) ?? firstPodOffset;
    let ip = addressInCidr(cidr, offset);
    while (ip !== undefined && used.has(ip)) {
      offset += 1;
      ip = addressInCidr(cidr, offset);
    }
    if (ip === undefined) return [];
    offsets.set(cidr.text, offset + 1);
    used.add(ip);
    ips.push(ip);
  }
  return ips;
}

/** A StatefulSet's Pods are found by their own names below its Service. */
function namesOf({ kind, metadata, spec }: WorkloadObject, at: number): { hostname?: string; subdomain?: string } {
  if (kind !== 'StatefulSet') return {};
  return { hostname: `${metadata.name}-${at}`, ...(spec.serviceName ? { subdomain: spec.serviceName } : {}) };
}

function podCount(workload: WorkloadObject, nodes: number): number {
  switch (workload.kind) {
    case 'DaemonSet':
      return nodes;
    case 'Job':
      return workload.spec.parallelism ?? 1;
    default:
      return workload.spec.replicas ?? 1;
  }
}

function describe(workload: WorkloadObject): string {
  return `${workload.kind} ${workload.metadata.namespace ?? 'default'}/${workload.metadata.name}`;
}

function sortKey(workload: WorkloadObject): string {
  return `${workload.metadata.namespace ?? 'default'}/${workload.metadata.name}/${workload.kind}`;
}
