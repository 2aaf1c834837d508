import type { SourceObject } from '../load/sourceObject.ts';

/**
 * Services (`namespace/name`) that appeared, disappeared or changed between two readings of a cluster, themselves or
 * their endpoints.
 */
export function changedServices(before: readonly SourceObject[], after: readonly SourceObject[]): ReadonlySet<string> {
  const earlier = versionsOf(before);
  const changed = new Set<string>();
  for (const [key, { service, version }] of versionsOf(after)) {
    if (earlier.get(key)?.version !== version) changed.add(service);
    earlier.delete(key);
  }
  for (const { service } of earlier.values()) changed.add(service);
  return changed;
}

interface Version {
  readonly service: string;
  readonly version: string | undefined;
}

/** Services and objects with their endpoints, by kind and name. */
function versionsOf(objects: readonly SourceObject[]): Map<string, Version> {
  const versions = new Map<string, Version>();
  for (const object of objects) {
    const service = serviceNameOf(object);
    if (service === undefined) continue;
    const { namespace, name, resourceVersion } = (object.value.metadata ?? {}) as ObjectMeta;
    versions.set(`${object.kind} ${namespace}/${name}`, { service, version: resourceVersion });
  }
  return versions;
}

/** The Service (`namespace/name`) that an object is, or whose endpoints it has. */
export function serviceNameOf({ kind, value }: SourceObject): string | undefined {
  const { namespace, name, labels } = (value.metadata ?? {}) as ObjectMeta;
  const owner = kind === 'EndpointSlice' ? labels?.['kubernetes.io/service-name'] : name;
  return !holdsService.has(kind) || owner === undefined ? undefined : `${namespace}/${owner}`;
}

const holdsService: ReadonlySet<string> = new Set(['Service', 'EndpointSlice', 'Endpoints']);

interface ObjectMeta {
  readonly namespace?: string;
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
