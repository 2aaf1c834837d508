import { checkOrdinaryAddress } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import type { Manifests } from '../../kinds/manifests.ts';

/** spec.externalIPs are addresses that can come from outside; loadBalancerIP is free text that the provider reads. */
export function serviceExternalIPs(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    for (const [index, text] of (service.value.spec.externalIPs ?? []).entries()) {
      checkOrdinaryAddress(service, ['spec', 'externalIPs', index], text, complain);
    }
  }
}
