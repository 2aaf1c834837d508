import type { SeenServices } from '../model/seenServices.ts';
import type { Tree } from './shownTree.ts';

/** An object as it was read; `detail`: from what kubectl shows to people. */
interface ReadObject {
  readonly kind: string;
  readonly value: Tree;
  readonly detail?: number;
}

/**
 * Gives objects of tables without a column NAMESPACE the namespace in which the rules of a dump have Services of these names
 * and cluster IPs. Such a table shows one namespace: where the dump has several, none is taken.
 */
export function namespacedByDump<T extends ReadObject>(objects: readonly T[], services: SeenServices): readonly T[] {
  if (!objects.some(lacksNamespace)) return objects;
  const byAddress = new Map<string, Set<string>>();
  for (const [id, { clusterIPs }] of services) {
    const slash = id.indexOf('/');
    for (const ip of clusterIPs.values()) {
      const key = `${id.slice(slash + 1)} ${ip}`;
      byAddress.set(key, (byAddress.get(key) ?? new Set()).add(id.slice(0, slash)));
    }
  }
  const found = new Set<string>();
  for (const object of objects) {
    if (object.kind !== 'Service' || !lacksNamespace(object)) continue;
    const { metadata, spec } = object.value as { readonly metadata: Tree; readonly spec?: Tree };
    for (const one of byAddress.get(`${String(metadata.name)} ${String(spec?.clusterIP)}`) ?? []) found.add(one);
  }
  const [namespace] = found;
  if (found.size !== 1 || namespace === undefined) return objects;
  return objects.map((object) => {
    if (!lacksNamespace(object)) return object;
    return { ...object, value: { ...object.value, metadata: { ...(object.value.metadata as Tree), namespace } } };
  });
}

/** A line of a table that does not say in which namespace the object is. */
export function lacksNamespace({ kind, value, detail }: ReadObject): boolean {
  if (detail === undefined || detail > 1 || !kindsOfNamespaces.has(kind)) return false;
  return (value.metadata as Tree | undefined)?.namespace === undefined;
}

const kindsOfNamespaces: ReadonlySet<string> = new Set(['Service', 'Endpoints', 'Pod']);
