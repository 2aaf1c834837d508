import type { SourceObject } from '../load/sourceObject.ts';

/** The version of each Service and of each object with its endpoints, by kind and name, in one reading of a cluster. */
export type ServiceVersions = ReadonlyMap<string, Version>;

interface Version {
  /** `namespace/name`. */
  readonly service: string;
  readonly version: string | undefined;
}

export function serviceVersions(objects: readonly SourceObject[]): ServiceVersions {
  const versions = new Map<string, Version>();
  for (const object of objects) {
    const service = serviceNameOf(object);
    if (service === undefined) continue;
    const { namespace, name, resourceVersion } = (object.value.metadata ?? {}) as ObjectMeta;
    versions.set(`${object.kind} ${namespace}/${name}`, { service, version: resourceVersion });
  }
  return versions;
}

/**
 * Services (`namespace/name`) that appeared, disappeared or changed between two readings of a cluster, themselves or
 * their endpoints.
 */
export function changedServices(before: ServiceVersions, after: ServiceVersions): ReadonlySet<string> {
  const changed = new Set<string>();
  for (const [key, { service, version }] of after) if (before.get(key)?.version !== version) changed.add(service);
  for (const [key, { service }] of before) if (!after.has(key)) changed.add(service);
  return changed;
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
