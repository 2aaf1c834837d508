import type { Complain } from '../fields/complain.ts';
import { nameOf } from '../fields/describe.ts';
import type { Claims } from '../keptClaims.ts';
import { clusterScoped } from '../kinds/clusterScoped.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Manifests } from '../kinds/manifests.ts';
import type { ObjectMeta } from '../kinds/objectMeta.ts';

/** Two objects of one kind, namespace and name: the API server would have one of them. */
export function duplicateObjects(manifests: Manifests, complain: Complain): void {
  for (const [list, kind] of kinds) {
    const first = new Map<string, Manifest<unknown>>();
    for (const manifest of manifests[list] as readonly Manifest<Named>[]) {
      const key = keyOf(manifest.value, list, kind);
      if (key === undefined) continue;
      const earlier = first.get(key);
      if (earlier === undefined) {
        first.set(key, manifest);
        continue;
      }
      complain(manifest, {
        code: 'duplicate-object',
        path: ['metadata', 'name'],
        message: `there is another ${kind === undefined ? key : `${kind} ${key}`}`,
        also: [{ ...earlier.origin, path: [...earlier.origin.path, 'metadata', 'name'] }],
      });
    }
  }
}

/** What only one object of its list may have; undefined: it has no name. */
function keyOf({ metadata, kind: own }: Named, list: keyof Manifests, kind: string | undefined): string | undefined {
  if (!metadata.name) return undefined;
  const name = clusterScoped.has(list) ? metadata.name : nameOf(metadata);
  return kind === undefined ? `${own} ${name}` : name;
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

const kindOfList = new Map(kinds);

export const objectNames: Claims = {
  lists: kinds.map(([list]) => list),
  of: (manifest, list) => {
    const key = keyOf((manifest as Manifest<Named>).value, list, kindOfList.get(list));
    return key === undefined ? [] : [key];
  },
};
