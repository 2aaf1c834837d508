import type { SourceObject } from '../load/sourceObject.ts';

/**
 * Services (`namespace/name`) that came, went or changed between two readings of a cluster, themselves or their
 * endpoints.
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

/** Of Services and of what holds their endpoints, by kind and name. */
function versionsOf(objects: readonly SourceObject[]): Map<string, Version> {
  const versions = new Map<string, Version>();
  for (const { kind, value } of objects) {
    const { namespace, name, resourceVersion, labels } = (value.metadata ?? {}) as ObjectMeta;
    const owner = kind === 'EndpointSlice' ? labels?.['kubernetes.io/service-name'] : name;
    if (!holdsService.has(kind) || owner === undefined) continue;
    versions.set(`${kind} ${namespace}/${name}`, { service: `${namespace}/${owner}`, version: resourceVersion });
  }
  return versions;
}

const holdsService: ReadonlySet<string> = new Set(['Service', 'EndpointSlice', 'Endpoints']);

interface ObjectMeta {
  readonly namespace?: string;
  readonly name?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
