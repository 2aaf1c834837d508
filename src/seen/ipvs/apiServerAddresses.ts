import { virtualServicesIn } from '../../node/ipvsRules.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/**
 * Addresses at which IPVS serves what looks like the Service `kubernetes`: the API server takes the first address of the
 * range for it, at port 443. Rules of IPVS mode name no Service, so another may have one of these.
 */
export function apiServerAddresses({ ipvs }: NodeRules): readonly string[] {
  return virtualServicesIn(ipvs).flatMap(({ address }) => {
    if (address.kind !== 'address' || address.protocol !== 'tcp' || address.port !== 443) return [];
    return /[.:]1$/.test(address.ip) ? address.ip : [];
  });
}
