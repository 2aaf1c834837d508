import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointsObject } from '../../validate/kinds/manifests.ts';
import { skipMirrorLabel } from './skipMirrorLabel.ts';

/** Endpoints objects by `namespace/name`, without those that the cluster does not mirror into slices. */
export function endpointsByService(
  endpoints: readonly Manifest<EndpointsObject>[],
): ReadonlyMap<string, Manifest<EndpointsObject>> {
  const byService = new Map<string, Manifest<EndpointsObject>>();
  for (const one of endpoints) {
    const { metadata } = one.value;
    if (metadata.labels?.[skipMirrorLabel] === 'true') continue;
    byService.set(`${metadata.namespace ?? 'default'}/${metadata.name}`, one);
  }
  return byService;
}
