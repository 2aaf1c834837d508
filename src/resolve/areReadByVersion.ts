import type { Manifests } from '../validate/kinds/manifests.ts';
import { hasRepeats } from './endpoints/endpointsFromSlices.ts';
import { hidingLabels } from './hidingLabels.ts';

/**
 * Versions of kube-proxy read these objects otherwise: a label hides a Service or a slice from some of them, or a slice has an
 * address several times, and only some sort it. Nearly all clusters are read alike.
 */
export function areReadByVersion({ services, endpointSlices }: Manifests): boolean {
  const { eitherOfBoth, oneOfEach } = hidingLabels;
  const hidesSome = (kind: 'services' | 'slices', labels: Readonly<Record<string, unknown>> | null | undefined) =>
    labels != null &&
    eitherOfBoth[kind].some((label) => !oneOfEach[kind].includes(label) && Object.hasOwn(labels, label));
  return (
    services.some(({ value }) => hidesSome('services', value.metadata.labels)) ||
    endpointSlices.some(({ value }) => hidesSome('slices', value.metadata.labels) || hasRepeats(value))
  );
}
