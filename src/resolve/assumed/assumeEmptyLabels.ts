import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { Manifests, NamespaceObject } from '../../validate/kinds/manifests.ts';
import type { TargetOptions } from '../targetOptions.ts';

/** Under `--assume-empty-labels`, labels of Pods and Namespaces that the input does not show count as absent. */
export function assumeEmptyLabels<T extends Pick<Manifests, 'namespaces' | 'pods' | 'networkPolicies'>>(
  manifests: T,
  { assumesEmptyLabels }: Pick<TargetOptions, 'assumesEmptyLabels'>,
): T {
  if (!assumesEmptyLabels) return manifests;
  const { pods, networkPolicies } = manifests;
  const given = new Set(manifests.namespaces.map(({ value }) => value.metadata.name));
  const named = new Map<string, Manifest<NamespaceObject>>();
  for (const { value, origin } of [...pods, ...networkPolicies]) {
    const name = value.metadata.namespace || 'default';
    if (!given.has(name) && !named.has(name)) named.set(name, { value: { metadata: { name } }, origin });
  }
  return {
    ...manifests,
    namespaces: [...manifests.namespaces, ...named.values()],
    pods: pods.map(({ value, origin }) => ({ value, origin })),
  };
}
