import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import { type HidingLabels, labelThatHides } from '../hidingLabels.ts';

/** kube-proxy looks at the slice: no label hides it. */
export function isSeenSlice({ value }: Manifest<EndpointSliceObject>, hiding: HidingLabels): boolean {
  return labelThatHides(value, hiding.slices) === undefined;
}
