import { type KeptInOrder, keptInOrder } from '../common/keptInOrder.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { ServiceObject } from '../validate/kinds/manifests.ts';
import { type KeptSlices, keptSlices } from './endpoints/keptSlices.ts';
import type { HidingLabels } from './hidingLabels.ts';
import type { Joint } from './joint.ts';
import type { ResolvedService } from './resolvedService.ts';

/**
 * What earlier runs made of the same objects, for the same node or others. Objects are never written to: from the same
 * ones comes the same, so Services that did not change are not resolved again.
 */
export interface ResolveMemory {
  /** Services that get rules where these labels hide others, and lacked nothing. */
  readonly services: (hiding: HidingLabels) => KeptInOrder<Manifest<ServiceObject>, ResolvedService>;
  readonly slices: KeptSlices;
  /** Services with their slices. */
  readonly joints: KeptInOrder<ResolvedService, Joint>;
}

export function resolveMemory(): ResolveMemory {
  const services = new Map<HidingLabels, KeptInOrder<Manifest<ServiceObject>, ResolvedService>>();
  return {
    services: (hiding) => {
      const own = services.get(hiding) ?? keptInOrder();
      services.set(hiding, own);
      return own;
    },
    slices: keptSlices(),
    joints: keptInOrder(),
  };
}
