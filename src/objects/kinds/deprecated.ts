import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { ServiceObject } from '../../validate/kinds/manifests.ts';
import type { LintContext } from '../lintContext.ts';

/** What still works in the cluster's version, and has been replaced. */
export function deprecated({ cluster, complain }: LintContext): void {
  const { minor } = cluster.kubeVersion;
  const { services, endpoints, ingresses } = cluster.manifests;
  for (const manifest of services) {
    for (const { since, path, message, hint } of fieldsOf(manifest)) {
      if (minor >= since)
        complain(manifest, { code: 'deprecated-use', path, message: `${message} since Kubernetes 1.${since}`, hint });
    }
  }
  for (const manifest of minor >= classSince ? ingresses : []) {
    const { metadata, spec } = manifest.value;
    const named = metadata.annotations?.[classAnnotation];
    if (named === undefined || spec?.ingressClassName) continue;
    complain(manifest, {
      code: 'deprecated-use',
      path: ['metadata', 'annotations', classAnnotation],
      message: `the annotation ${classAnnotation} has been deprecated since Kubernetes 1.${classSince}`,
      hint: 'use spec.ingressClassName, with an IngressClass of that name',
    });
  }
  if (minor < endpointsSince) return;
  for (const manifest of endpoints) {
    // Those that the control plane keeps for a Service are nobody's to change, nor are those that kubectl shows.
    if (isKept(manifest.value.metadata) || manifest.detail !== undefined) continue;
    complain(manifest, {
      code: 'deprecated-use',
      path: ['kind'],
      message: `Endpoints have been deprecated since Kubernetes 1.${endpointsSince}`,
      hint: 'write EndpointSlices (discovery.k8s.io/v1), which also know zones, terminating Pods and both IP families',
    });
  }
}

const endpointsSince = 33;
const classSince = 18;
const classAnnotation = 'kubernetes.io/ingress.class';

interface Replaced {
  readonly since: number;
  readonly path: JsonPath;
  readonly message: string;
  readonly hint: string;
}

function* fieldsOf({ value: { metadata, spec } }: Manifest<ServiceObject>): Iterable<Replaced> {
  if ((spec.externalIPs ?? []).length > 0) {
    const hint =
      'use a LoadBalancer Service, or a Gateway: whoever may write Services can take any address by externalIPs';
    yield { since: 36, path: ['spec', 'externalIPs'], message: 'spec.externalIPs has been deprecated', hint };
  }
  if (spec.loadBalancerIP) {
    const hint = 'ask the provider which annotation reserves an address; some ignore the field';
    yield { since: 24, path: ['spec', 'loadBalancerIP'], message: 'spec.loadBalancerIP has been deprecated', hint };
  }
  const { annotations } = metadata as { readonly annotations?: Readonly<Record<string, unknown>> | null };
  for (const [name, since] of [
    ['service.kubernetes.io/topology-aware-hints', 27],
    ['service.kubernetes.io/topology-mode', 33],
  ] as const) {
    if (annotations?.[name] === undefined) continue;
    const instead = since === 27 ? 'service.kubernetes.io/topology-mode: Auto, and as of 1.33 ' : '';
    const hint = `use ${instead}spec.trafficDistribution: PreferClose`;
    yield {
      since,
      path: ['metadata', 'annotations', name],
      message: `the annotation ${name} has been deprecated`,
      hint,
    };
  }
}

function isKept(metadata: object): boolean {
  const { annotations, labels } = metadata as {
    readonly annotations?: Readonly<Record<string, unknown>> | null;
    readonly labels?: Readonly<Record<string, unknown>> | null;
  };
  return (
    annotations?.['endpoints.kubernetes.io/last-change-trigger-time'] !== undefined ||
    labels?.['endpoints.kubernetes.io/managed-by'] !== undefined ||
    labels?.['endpointslice.kubernetes.io/skip-mirror'] !== undefined
  );
}
