import type { NodeRules } from '../../node/nodeRules.ts';

/**
 * Addresses at which IPVS serves what looks like the Service `kubernetes`: the API server takes the first address of the
 * range for it, at port 443. Rules of IPVS mode name no Service, so another may have one of these.
 */
export function apiServerAddresses({ ipvs }: NodeRules): readonly string[] {
  return ipvs.flatMap(({ tables }) =>
    [...(tables.get('ipvs')?.chains.values() ?? [])].flatMap(({ content }) => {
      const address = content?.kind === 'virtualServer' ? content.service.address : undefined;
      if (address?.kind !== 'address' || address.protocol !== 'tcp' || address.port !== 443) return [];
      return /[.:]1$/.test(address.ip) ? address.ip : [];
    }),
  );
}
