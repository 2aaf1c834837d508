import type { Complain } from '../fields/complain.ts';
import { nameOf } from '../fields/describe.ts';
import { clusterScoped } from '../kinds/clusterScoped.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Manifests } from '../kinds/manifests.ts';
import type { ObjectMeta } from '../kinds/objectMeta.ts';

/** Two objects of one kind, namespace and name: the API server would have one of them. */
export function duplicateObjects(manifests: Manifests, complain: Complain): void {
  for (const [list, kind] of kinds) {
    const first = new Map<string, Manifest<unknown>>();
    for (const manifest of manifests[list] as readonly Manifest<Named>[]) {
      const { metadata } = manifest.value;
      if (!metadata.name) continue;
      const isNamespaced = !clusterScoped.has(list);
      const name = isNamespaced ? nameOf(metadata) : metadata.name;
      const key = kind === undefined ? `${manifest.value.kind} ${name}` : name;
      const earlier = first.get(key);
      if (earlier === undefined) {
        first.set(key, manifest);
        continue;
      }
      complain(manifest, {
        code: 'duplicate-object',
        path: ['metadata', 'name'],
        message: `there is another ${kind === undefined ? key : `${kind} ${name}`}`,
        also: [{ ...earlier.origin, path: [...earlier.origin.path, 'metadata', 'name'] }],
      });
    }
  }
}

interface Named {
  readonly kind?: string;
  readonly metadata: ObjectMeta;
}

/** Workloads and cluster-wide policies are of several kinds and say their own. */
const kinds: readonly (readonly [keyof Manifests, string | undefined])[] = [
  ['services', 'Service'],
  ['endpoints', 'Endpoints'],
  ['endpointSlices', 'EndpointSlice'],
  ['nodes', 'Node'],
  ['pods', 'Pod'],
  ['namespaces', 'Namespace'],
  ['serviceCIDRs', 'ServiceCIDR'],
  ['networkPolicies', 'NetworkPolicy'],
  ['clusterPolicies', undefined],
  ['workloads', undefined],
  ['ingresses', 'Ingress'],
  ['secrets', 'Secret'],
  ['configMaps', 'ConfigMap'],
  ['blockAffinities', 'BlockAffinity'],
];
