import type { Manifests } from '../validate/kinds/manifests.ts';
import { hasRepeats } from './endpoints/endpointsFromSlices.ts';
import { type HidingLabels, hidingLabels, labelThatHides } from './hidingLabels.ts';

/**
 * Versions of kube-proxy read these objects otherwise: a label hides a Service or a slice from some of them, or a slice has an
 * address several times, and only some sort it. Nearly all clusters are read alike.
 */
export function areReadByVersion({ services, endpointSlices }: Manifests): boolean {
  return (
    services.some(({ value }) => labelThatHides(value, hidingSome.services) !== undefined) ||
    endpointSlices.some(({ value }) => labelThatHides(value, hidingSome.slices) !== undefined || hasRepeats(value))
  );
}

const { eitherOfBoth, oneOfEach } = hidingLabels;

/** Labels that hide objects of the kind from some versions alone. */
const hidingSome: HidingLabels = {
  services: eitherOfBoth.services.filter((label) => !oneOfEach.services.includes(label)),
  slices: eitherOfBoth.slices.filter((label) => !oneOfEach.slices.includes(label)),
};
