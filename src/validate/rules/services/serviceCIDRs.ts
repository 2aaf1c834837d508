import { checkNetwork } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import type { Manifests } from '../../kinds/manifests.ts';

/** spec.cidrs of a ServiceCIDR: one range, or one of each family. */
export function serviceCIDRs(manifests: Manifests, complain: Complain): void {
  for (const manifest of manifests.serviceCIDRs) {
    const cidrs = manifest.value.spec?.cidrs ?? [];
    if (cidrs.length === 0)
      complain(manifest, { code: 'missing-field', path: ['spec', 'cidrs'], message: 'a ServiceCIDR needs a range' });
    const families = cidrs.map(
      (text, index) => checkNetwork(manifest, ['spec', 'cidrs', index], text, complain)?.family,
    );
    if (families.length === 2 && families[0] !== undefined && families[0] === families[1]) {
      const message = 'has two ranges of one IP family, at most one of each is allowed';
      complain(manifest, { code: 'fields-disagree', path: ['spec', 'cidrs'], message });
    }
  }
}
