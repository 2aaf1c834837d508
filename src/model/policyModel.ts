import { canonicalIps } from '../common/addresses/canonicalIps.ts';
import { canonicalIp } from '../common/addresses/ip.ts';
import type { Protocol } from '../common/addresses/protocol.ts';
import { compareBytes } from '../common/compareBytes.ts';
import { isFinished } from '../validate/isFinished.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { Manifests, NodeObject, PodObject } from '../validate/kinds/manifests.ts';
import type { Labels, ObjectMeta } from '../validate/kinds/objectMeta.ts';
import type { OtherPolicyObject } from '../validate/kinds/policyKinds.ts';
import { type ClusterPolicy, compareClusterPolicies, readClusterPolicy } from './clusterPolicy.ts';
import { namespaceNameLabel } from './labelSelector.ts';
import { type NetPolicy, readNetPolicy } from './netPolicy.ts';
import { podIps } from './podIps.ts';
import { podsOfWorkloads } from './podsOfWorkloads.ts';

/** All that NetworkPolicy verdicts depend on, sorted: the order of the manifests leaves no trace. */
export interface PolicyModel {
  readonly namespaces: readonly PolicyNamespace[];
  /** Pods that have an address, or will have: finished ones are left out, their addresses belong to others. */
  readonly pods: readonly PolicyPod[];
  readonly nodes: readonly PolicyNode[];
  readonly workloads: readonly PolicyWorkload[];
  readonly policies: readonly NetPolicy[];
  /** In the order in which they are tried. */
  readonly clusterPolicies: readonly ClusterPolicy[];
  /** Policies of other kinds, which decide too and are not read. */
  readonly otherPolicies: readonly OtherPolicy[];
}

export interface PolicyNamespace {
  readonly name: string;
  /** With `kubernetes.io/metadata.name`, which the API server always sets. */
  readonly labels: Labels;
  /** The input has the Namespace itself; otherwise it may have any further labels. */
  readonly hasKnownLabels: boolean;
}

export interface OtherPolicy {
  readonly kind: string;
  readonly server: OtherPolicyObject['server'];
  /** Undefined: it is about the whole cluster. */
  readonly namespace: string | undefined;
  readonly name: string;
}

export interface PolicyPod {
  readonly namespace: string;
  readonly name: string;
  /** `namespace/name`. */
  readonly id: string;
  readonly labels: Labels;
  /** False: a table showed it without them, and it may have any. */
  readonly hasKnownLabels: boolean;
  /** Canonical, of both families. */
  readonly ips: readonly string[];
  /** It has these addresses, or none yet; false: a repository's Pod or a short table, which show no address at all. */
  readonly hasKnownAddress: boolean;
  /** Name of its node; undefined: the manifests do not tell. */
  readonly node: string | undefined;
  /** It shares its node's address: no policy selects it and no selector finds it. */
  readonly isHostNetwork: boolean;
  /** Named ports of its containers, sidecars included. */
  readonly namedPorts: readonly NamedPort[];
  /** False: what showed it does not show names of ports, and it may have others. */
  readonly hasKnownPorts: boolean;
}

/** What starts Pods, with those that are given. */
export interface PolicyWorkload {
  /** `Deployment`. */
  readonly kind: string;
  /** `namespace/name`. */
  readonly id: string;
  readonly pods: readonly PolicyPod[];
}

export interface NamedPort {
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number;
}

export interface PolicyNode {
  readonly name: string;
  /** Canonical, InternalIPs first. */
  readonly ips: readonly string[];
  readonly podCIDRs: readonly string[];
  readonly labels: Labels;
  /** False: only Pods mention it, or a table that shows no labels. */
  readonly hasKnownLabels: boolean;
}

/** The objects that it is read from. */
export type PolicyManifests = Pick<Manifests, 'networkPolicies' | 'namespaces' | 'pods' | 'nodes'> &
  Partial<Pick<Manifests, 'workloads' | 'otherPolicies' | 'clusterPolicies'>>;

export function readPolicyModel(manifests: PolicyManifests): PolicyModel {
  const nodes = readNodes(manifests);
  const nodeByAddress = new Map(nodes.flatMap((node) => node.ips.map((ip) => [ip, node.name] as const)));
  const onlyNode = nodes.length === 1 ? nodes[0]?.name : undefined;
  const running = manifests.pods.filter(({ value }) => !isFinished(value));
  const read = new Map(running.map((pod) => [pod, readPod(pod, nodeByAddress, onlyNode)] as const));
  const pods = [...read.values()].sort(comparePods);
  const policies = manifests.networkPolicies.map(readNetPolicy).sort(byNamespaceAndName);
  const workloads = readWorkloads(manifests, (pod) => read.get(pod));
  const clusterPolicies = (manifests.clusterPolicies ?? []).map(readClusterPolicy).sort(compareClusterPolicies);
  const otherPolicies = (manifests.otherPolicies ?? []).map(readOtherPolicy);
  const namespaces = readNamespaces(manifests, pods, policies);
  return { namespaces, pods, nodes, workloads, policies, clusterPolicies, otherPolicies };
}

function readNamespaces(
  manifests: PolicyManifests,
  pods: readonly PolicyPod[],
  policies: readonly NetPolicy[],
): readonly PolicyNamespace[] {
  const labels = new Map<string, Labels | undefined>();
  for (const { namespace } of [...pods, ...policies]) labels.set(namespace, undefined);
  for (const { value } of manifests.namespaces) labels.set(value.metadata.name, value.metadata.labels ?? {});
  return [...labels]
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([name, own]) => ({
      name,
      labels: { ...own, [namespaceNameLabel]: name },
      hasKnownLabels: own !== undefined,
    }));
}

export function readOtherPolicy({ value }: Manifest<OtherPolicyObject>): OtherPolicy {
  const { kind, server, metadata } = value;
  return { kind, server, namespace: metadata.namespace ?? undefined, name: metadata.name };
}

/** Of what kubectl shows to people, only what is there is known. */
function readPod(
  { value: pod, detail }: Manifest<PodObject>,
  nodeByAddress: ReadonlyMap<string, string>,
  onlyNode: string | undefined,
): PolicyPod {
  const { metadata, spec, status } = pod;
  const namespace = namespaceOf(metadata);
  const ips = podIps(pod);
  const hostIP = status?.hostIP == null ? undefined : canonicalIp(status.hostIP);
  return {
    namespace,
    name: metadata.name,
    id: `${namespace}/${metadata.name}`,
    labels: metadata.labels ?? {},
    hasKnownLabels: detail === undefined || metadata.labels != null,
    ips,
    hasKnownAddress: ips.length > 0 || (detail === undefined ? status?.phase != null : status?.podIP === ''),
    node: spec?.nodeName || (hostIP === undefined ? onlyNode : nodeByAddress.get(hostIP)),
    // A table does not say it, but shows the address of a node.
    isHostNetwork: spec?.hostNetwork === true || (detail !== undefined && ips.some((ip) => nodeByAddress.has(ip))),
    namedPorts: readNamedPorts(pod),
    hasKnownPorts: detail === undefined || hasNamesOfPorts(pod, detail),
  };
}

/** Lines of tables show no ports; descriptions show their names since kubectl 1.31. */
function hasNamesOfPorts({ spec }: PodObject, detail: number): boolean {
  const ports = (spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return detail >= 3 && (ports.length === 0 || ports.some(({ name }) => Boolean(name)));
}

/** Ordinary init containers are gone when traffic comes; sidecars (restartPolicy Always, since 1.28) stay. */
function readNamedPorts({ spec }: PodObject): readonly NamedPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const ports: NamedPort[] = [];
  for (const container of [...(spec?.containers ?? []), ...sidecars]) {
    for (const { name, protocol, containerPort } of container.ports ?? []) {
      if (name) ports.push({ name, protocol: protocol ?? 'TCP', port: containerPort });
    }
  }
  return ports;
}

function readWorkloads(
  { workloads = [], pods }: PolicyManifests,
  read: (pod: Manifest<PodObject>) => PolicyPod | undefined,
): readonly PolicyWorkload[] {
  const given = podsOfWorkloads(workloads, pods);
  return workloads.map((workload) => ({
    kind: workload.value.kind,
    id: `${namespaceOf(workload.value.metadata)}/${workload.value.metadata.name}`,
    pods: (given.get(workload) ?? []).flatMap((pod) => read(pod) ?? []),
  }));
}

/** Nodes that only Pods mention have the address that their Pods call host IP. */
function readNodes({ nodes, pods }: PolicyManifests): readonly PolicyNode[] {
  const hostIPs = new Map<string, Set<string>>();
  for (const { value } of pods) {
    const name = value.spec?.nodeName;
    if (!name) continue;
    const ips = hostIPs.get(name) ?? new Set();
    hostIPs.set(name, ips);
    const ip = canonicalIp(value.status?.hostIP ?? '');
    if (ip !== undefined) ips.add(ip);
  }
  const byName = new Map<string, PolicyNode>();
  for (const [name, ips] of hostIPs) {
    byName.set(name, { name, ips: [...ips].sort(compareBytes), podCIDRs: [], labels: {}, hasKnownLabels: false });
  }
  for (const node of nodes) byName.set(node.value.metadata.name, readNode(node));
  return [...byName.values()].sort((a, b) => compareBytes(a.name, b.name));
}

function readNode({ value: { metadata, spec, status }, detail }: Manifest<NodeObject>): PolicyNode {
  const addresses = (status?.addresses ?? []).filter(({ type }) => type === 'InternalIP' || type === 'ExternalIP');
  const internalFirst = [...addresses].sort(
    (a, b) => Number(a.type !== 'InternalIP') - Number(b.type !== 'InternalIP'),
  );
  return {
    name: metadata.name,
    ips: canonicalIps(internalFirst.map(({ address }) => address)),
    podCIDRs: [...new Set([spec?.podCIDR, ...(spec?.podCIDRs ?? [])])].filter((cidr) => typeof cidr === 'string'),
    labels: metadata.labels ?? {},
    hasKnownLabels: detail === undefined || metadata.labels != null,
  };
}

function namespaceOf(metadata: ObjectMeta): string {
  return metadata.namespace ?? 'default';
}

function byNamespaceAndName(
  a: { readonly namespace: string; readonly name: string },
  b: { readonly namespace: string; readonly name: string },
): number {
  return compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name);
}

/** Manifests of two clusters may bring two pods of one name: their addresses tell them apart. */
function comparePods(a: PolicyPod, b: PolicyPod): number {
  return byNamespaceAndName(a, b) || compareBytes(a.ips.join(), b.ips.join());
}
