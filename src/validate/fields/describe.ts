import type { ObjectMeta } from '../kinds/objectMeta.ts';

/** `namespace/name`, the namespace filled in: how messages and keys name a namespaced object. */
export function nameOf(metadata: ObjectMeta): string {
  return `${namespaceOf(metadata)}/${metadata.name}`;
}

/** An object without a namespace is in `default`, as for kubectl. */
export function namespaceOf(metadata: ObjectMeta): string {
  return metadata.namespace || 'default';
}
