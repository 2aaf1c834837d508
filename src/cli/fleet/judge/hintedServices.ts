import type { Loaded } from '../../../load/loaded.ts';
import { serviceNameLabel } from '../../../resolve/endpoints/serviceNameLabel.ts';

/** Services with an endpoint that has hints, as namespace/name. */
export function hintedServices(objects: Loaded['objects']): readonly string[] {
  const found = new Set<string>();
  for (const { kind, value } of objects) {
    if (kind !== 'EndpointSlice') continue;
    const { metadata, endpoints } = value as PlainSlice;
    const service = metadata?.labels?.[serviceNameLabel];
    if (typeof service !== 'string' || !Array.isArray(endpoints)) continue;
    if (endpoints.some((endpoint) => endpoint?.hints)) found.add(`${metadata?.namespace || 'default'}/${service}`);
  }
  return [...found];
}

interface PlainSlice {
  readonly metadata?: { readonly namespace?: string; readonly labels?: Readonly<Record<string, unknown>> };
  readonly endpoints?: readonly ({ readonly hints?: unknown } | null)[];
}
