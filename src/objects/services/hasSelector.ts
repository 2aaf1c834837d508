import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { ServiceObject } from '../../validate/kinds/manifests.ts';

/** The Service selects Pods, whose EndpointSlices the control plane makes: an empty selector selects none. */
export function hasSelector({ value }: Manifest<ServiceObject>): boolean {
  return Object.keys(value.spec.selector ?? {}).length > 0;
}
