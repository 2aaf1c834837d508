import type { Loaded } from '../../load/loaded.ts';

/** The Services in manifests, as namespace/name. */
export function namesOfServices(objects: Loaded['objects']): readonly string[] {
  return objects.flatMap(({ kind, value }) => {
    const { namespace, name } = (value.metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
    return kind === 'Service' ? [`${namespace || 'default'}/${name}`] : [];
  });
}
