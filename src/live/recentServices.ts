import type { SourceObject } from '../load/sourceObject.ts';
import { serviceNameOf } from './changedServices.ts';

/**
 * Services (`namespace/name`) that changed, themselves or their endpoints, less than `window` milliseconds before `now`,
 * when nodes were first asked: kube-proxy may not have written them yet. Times are the API server's, cut off to the
 * second, so a change may be up to a second younger; if its clock differs from ours by more than the window, none is recent.
 */
export function recentServices(objects: readonly SourceObject[], now: number, window: number): ReadonlySet<string> {
  const recent = new Set<string>();
  for (const object of objects) {
    const service = serviceNameOf(object);
    if (service !== undefined && timesOf(object).some((time) => time - now < window && now - time < window + second))
      recent.add(service);
  }
  return recent;
}

const second = 1000;

function timesOf({ value }: SourceObject): readonly number[] {
  const { creationTimestamp, deletionTimestamp, managedFields } = (value.metadata ?? {}) as Metadata;
  const written = Array.isArray(managedFields)
    ? managedFields.map((entry: { readonly time?: unknown }) => entry?.time)
    : [];
  return [creationTimestamp, deletionTimestamp, ...written].flatMap((text) =>
    typeof text === 'string' ? [Date.parse(text)] : [],
  );
}

interface Metadata {
  readonly creationTimestamp?: unknown;
  readonly deletionTimestamp?: unknown;
  readonly managedFields?: unknown;
}
