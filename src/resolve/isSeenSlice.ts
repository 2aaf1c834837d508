import type { EndpointSliceObject, Manifest } from '../validate/manifests.ts';
import { unseenLabels } from './unseenLabels.ts';

/** kube-proxy looks at the slice: it is not left to another proxy, and not of a headless Service. */
export function isSeenSlice({ value }: Manifest<EndpointSliceObject>): boolean {
  const { labels } = value.metadata;
  return !labels || !unseenLabels.some((label) => Object.hasOwn(labels, label));
}
