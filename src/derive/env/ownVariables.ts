import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { ContainerObject } from '../../validate/kinds/manifests.ts';
import type { Labels, ObjectMeta } from '../../validate/kinds/objectMeta.ts';

/** Names that a container sets itself, by `env` or from ConfigMaps and Secrets of the input: they win over those of Services. */
export function ownVariables(
  cluster: Cluster,
  namespace: string,
  container: ContainerObject,
  report: Report,
): ReadonlySet<string> {
  const names = new Set((container.env ?? []).map(({ name }) => name));
  for (const { prefix, configMapRef, secretRef } of container.envFrom ?? []) {
    const { configMaps, secrets } = cluster.manifests;
    const found = [
      configMapRef?.name ? keysOf('ConfigMap', configMapRef.name, configMaps, namespace, report) : [],
      secretRef?.name ? keysOf('Secret', secretRef.name, secrets, namespace, report) : [],
    ];
    for (const key of found.flat()) names.add(`${prefix ?? ''}${key}`);
  }
  return names;
}

function keysOf(
  kind: 'ConfigMap' | 'Secret',
  name: string,
  objects: readonly Manifest<WithData>[],
  namespace: string,
  report: Report,
): readonly string[] {
  const found = objects.find(
    ({ value }) => value.metadata.name === name && (value.metadata.namespace || 'default') === namespace,
  );
  if (found !== undefined) {
    const { data, stringData } = found.value;
    return [...Object.keys(data ?? {}), ...Object.keys(stringData ?? {})];
  }
  report({
    code: 'env-source-unknown',
    severity: 'note',
    message: `the container takes variables from ${kind} ${namespace}/${name}, which is not in the input; those of the same name win over the ones shown`,
    at: [],
    hint: `add the ${kind} to the input`,
  });
  return [];
}

interface WithData {
  readonly metadata: ObjectMeta;
  readonly data?: Labels | null | undefined;
  readonly stringData?: Labels | null | undefined;
}
