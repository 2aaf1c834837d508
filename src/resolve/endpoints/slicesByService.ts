import { addTo } from '../../common/addTo.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import { serviceNameLabel } from './serviceNameLabel.ts';

/**
 * EndpointSlices by the `namespace/name` of their Service, in the order of their names, in which kube-proxy was
 * recorded (through 1.35 it walks them at random); those without the label belong to none.
 */
export function slicesByService(
  slices: readonly Manifest<EndpointSliceObject>[],
): ReadonlyMap<string, readonly Manifest<EndpointSliceObject>[]> {
  const byService = new Map<string, Manifest<EndpointSliceObject>[]>();
  for (const slice of slices) {
    const service = serviceOf(slice);
    if (service !== undefined) addTo(byService, service, slice);
  }
  for (const own of byService.values()) if (own.length > 1) own.sort(byName);
  return byService;
}

/** `namespace/name`; undefined: of none. */
export function serviceOf({ value: { metadata } }: Manifest<EndpointSliceObject>): string | undefined {
  const service = metadata.labels?.[serviceNameLabel];
  return service ? `${metadata.namespace ?? 'default'}/${service}` : undefined;
}

export function byName(
  { value: a }: Manifest<EndpointSliceObject>,
  { value: b }: Manifest<EndpointSliceObject>,
): number {
  return compareBytes(a.metadata.name ?? '', b.metadata.name ?? '');
}
