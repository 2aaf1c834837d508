import type { Cidr } from '../common/addresses/cidr.ts';
import { addTo } from '../common/addTo.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Service } from '../model/service.ts';
import { type EndpointSources, endpointSources } from '../resolve/endpoints/endpointSources.ts';
import type { Complain } from '../validate/fields/complain.ts';
import { nameOf } from '../validate/fields/describe.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { ContainerObject, PodSpecObject, ServiceObject } from '../validate/kinds/manifests.ts';
import type { Labels, ObjectMeta } from '../validate/kinds/objectMeta.ts';
import type { CertificateReading } from './kinds/certificate.ts';
import type { Refused } from './refused.ts';

/** Facts about the cluster from the command line; empty: none. */
export interface LintSettings {
  readonly serviceCIDRs: readonly Cidr[];
  readonly clusterCIDRs: readonly Cidr[];
  /** Name of the network plugin. */
  readonly cni: string | undefined;
  /** Namespaces with objects that may start Pods and make Services which the input does not show. */
  readonly unseen: ReadonlySet<string>;
  readonly refused: Refused;
  /** Undefined: certificates are left alone. */
  readonly certificates: CertificateReading | undefined;
}

/** What the checks look at. */
export interface LintContext {
  readonly cluster: Cluster;
  readonly settings: LintSettings;
  readonly sources: EndpointSources;
  /** Of all Services, by `namespace/name`. */
  readonly services: ReadonlyMap<string, LintedService>;
  /** Namespaces that the input has Services of, and all of them: of others nothing can be missed. */
  readonly namespacesWithServices: ReadonlySet<string>;
  readonly podSpecs: readonly LintedPodSpec[];
  readonly complain: Complain;
}

/** One thing that knows a trade: complains about what is legal and goes wrong all the same. */
export type LintCheck = (context: LintContext) => void;

export interface LintedService {
  readonly service: Service;
  readonly manifest: Manifest<ServiceObject>;
}

/** A Pod, or the Pods that a workload would start. */
export interface LintedPodSpec {
  /** `Pod shop/web-0`, `Deployment shop/web`. */
  readonly title: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly spec: PodSpecObject;
  readonly containers: readonly ContainerObject[];
  readonly manifest: Manifest<unknown>;
  /** Of `spec` in the manifest. */
  readonly path: readonly string[];
  /** It was read from a cluster, where the API server has filled in what nobody wrote. */
  readonly isServed: boolean;
  /** When a Pod was made; empty: not known, or a workload. */
  readonly createdAt: string;
  /** The Service that names the Pods of a StatefulSet; otherwise empty. */
  readonly serviceName: string;
  /** Undefined: a Pod by itself. */
  readonly workload: string | undefined;
}

export function lintContext(cluster: Cluster, settings: LintSettings, complain: Complain): LintContext {
  const { manifests } = cluster;
  const raw = new Map(manifests.services.map((manifest) => [nameOf(manifest.value.metadata), manifest]));
  const services = new Map<string, LintedService>();
  for (const service of cluster.services) {
    const manifest = raw.get(service.id);
    if (manifest !== undefined) services.set(service.id, { service, manifest });
  }
  return {
    cluster,
    settings,
    sources: endpointSources(manifests),
    services,
    namespacesWithServices: new Set(
      cluster.services
        .map(({ namespace }) => namespace)
        .filter((namespace) => !settings.unseen.has(namespace) && !settings.refused.services.has(namespace)),
    ),
    podSpecs: podSpecs(cluster),
    complain,
  };
}

function podSpecs({ manifests }: Cluster): readonly LintedPodSpec[] {
  const ofPods = manifests.pods.map((manifest): LintedPodSpec => {
    const { metadata, spec } = manifest.value;
    return {
      title: `Pod ${nameOf(metadata)}`,
      namespace: metadata.namespace || 'default',
      labels: metadata.labels ?? {},
      spec: spec ?? {},
      containers: spec?.containers ?? [],
      manifest,
      path: ['spec'],
      isServed: isServed(metadata),
      createdAt: metadata.creationTimestamp ?? '',
      serviceName: '',
      workload: undefined,
    };
  });
  const ofWorkloads = manifests.workloads.map((manifest): LintedPodSpec => {
    const { kind, metadata, spec } = manifest.value;
    const title = `${kind} ${nameOf(metadata)}`;
    return {
      title,
      namespace: metadata.namespace || 'default',
      labels: spec.template?.metadata?.labels ?? {},
      spec: spec.template?.spec ?? {},
      containers: spec.template?.spec?.containers ?? [],
      manifest,
      path: ['spec', 'template', 'spec'],
      isServed: isServed(metadata),
      createdAt: '',
      serviceName: kind === 'StatefulSet' ? (spec.serviceName ?? '') : '',
      workload: title,
    };
  });
  return [...ofPods, ...ofWorkloads];
}

function isServed(metadata: ObjectMeta): boolean {
  const { uid, resourceVersion } = metadata as ObjectMeta & {
    readonly uid?: unknown;
    readonly resourceVersion?: unknown;
  };
  return Boolean(uid || resourceVersion);
}

/**
 * Pods and workloads by the Service that selects them; only Services that have a selector, where no Pod was left out
 * because of an error.
 */
export function selectedSpecs(context: LintContext): ReadonlyMap<LintedService, readonly LintedPodSpec[]> {
  const byLabel = new Map<string, LintedPodSpec[]>();
  for (const spec of context.podSpecs) {
    for (const [key, value] of Object.entries(spec.labels)) addTo(byLabel, labelKey(spec.namespace, key, value), spec);
  }
  const selected = new Map<LintedService, readonly LintedPodSpec[]>();
  for (const linted of context.services.values()) {
    const pairs = Object.entries(linted.manifest.value.spec.selector ?? {});
    if (pairs.length === 0 || linted.service.kind === 'externalName') continue;
    if (context.settings.refused.others.has(linted.service.namespace)) continue;
    const lists = pairs.map(([key, value]) => byLabel.get(labelKey(linted.service.namespace, key, value)) ?? []);
    const shortest = lists.reduce((least, list) => (list.length < least.length ? list : least));
    selected.set(
      linted,
      shortest.filter(({ labels }) => pairs.every(([key, value]) => labels[key] === value)),
    );
  }
  return selected;
}

function labelKey(namespace: string, key: string, value: string): string {
  return `${namespace}\0${key}\0${value}`;
}
