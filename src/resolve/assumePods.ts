import { addressInCidr } from '../common/addressInCidr.ts';
import { ascending } from '../common/ascending.ts';
import { parseCidr } from '../common/cidr.ts';
import type { Family } from '../common/family.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { Manifest, NodeObject, PodObject, WorkloadObject } from '../validate/manifests.ts';
import type { TargetOptions } from './targetOptions.ts';

/** Where Pods get addresses when neither a Node nor the command line says: flannel's and kubeadm's customary range. */
const defaultPodCIDR = '10.244.0.0/24';

/** Addresses .0 to .9 of a range are left to gateways and bridges. */
const firstPodOffset = 10;

/**
 * Makes up the Pods that workloads would start: all ready, spread over the Nodes in turn (every Node gets one of a
 * DaemonSet), with addresses counted up from the Node's pod CIDR, in the order of the workloads' names. The same input
 * gives the same Pods. They are listed in notes, since real addresses will differ.
 */
export function assumePods(
  workloads: readonly Manifest<WorkloadObject>[],
  nodes: readonly Manifest<NodeObject>[],
  node: NodeFacts,
  options: TargetOptions,
  report: Report,
): readonly Manifest<PodObject>[] {
  const places = placesOf(nodes, node, options);
  const used = new Map<string, number>();
  const pods: Manifest<PodObject>[] = [];
  const sorted = [...workloads].sort((a, b) => ascending(sortKey(a.value), sortKey(b.value)));
  for (const workload of sorted) {
    const template = workload.value.spec.template;
    if (!template) continue;
    const made: string[] = [];
    const count = podCount(workload.value, places.length);
    for (let at = 0; at < count; at++) {
      const place = places[at % places.length] as Place;
      const isHostNetwork = template.spec?.hostNetwork === true;
      const ips = isHostNetwork ? place.nodeIPs : nextAddresses(place, used);
      if (ips.length === 0) {
        report({
          code: 'range-exhausted',
          severity: 'error',
          message: `no address is left in ${place.podCIDRs.join(', ')} for the Pods of ${describe(workload.value)}`,
          at: [workload.origin],
          hint: 'give a larger --pod-cidr',
        });
        break;
      }
      made.push(`${ips.join(' ')} on ${place.name}`);
      pods.push({
        origin: workload.origin,
        value: {
          metadata: {
            name: `${workload.value.metadata.name}-${at}`,
            namespace: workload.value.metadata.namespace ?? 'default',
            labels: template.metadata?.labels ?? {},
          },
          spec: { ...template.spec, ...namesOf(workload.value, at), nodeName: place.name },
          status: {
            phase: 'Running',
            ...(ips[0] === undefined ? {} : { podIP: ips[0] }),
            podIPs: ips.map((ip) => ({ ip })),
            conditions: [{ type: 'Ready', status: 'True' }],
          },
        },
      });
    }
    report({
      code: 'assumed-pods',
      severity: 'note',
      message: `${made.length === 1 ? '1 Pod is' : `${made.length} Pods are`} assumed for ${describe(workload.value)}${made.length === 0 ? '' : ': '}${made.slice(0, 20).join(', ')}${made.length > 20 ? `, and ${made.length - 20} more` : ''}`,
      at: [workload.origin],
    });
  }
  return pods;
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

/** One address of each family of the place, counted up; empty when a range is full. */
function nextAddresses(place: Place, used: Map<string, number>): readonly string[] {
  const ips: string[] = [];
  const families = new Set<Family>();
  for (const text of place.podCIDRs) {
    const cidr = parseCidr(text);
    if (cidr === undefined || families.has(cidr.family)) continue;
    families.add(cidr.family);
    const offset = used.get(cidr.text) ?? firstPodOffset;
    const ip = addressInCidr(cidr, offset);
    if (ip === undefined) return [];
    used.set(cidr.text, offset + 1);
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
