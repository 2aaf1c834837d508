import type { Family } from '../../common/addresses/family.ts';

/** kubeadm's and the API server's own default; the IPv6 one is the customary private counterpart. */
export const defaultServiceCIDRs: Readonly<Record<Family, string>> = { ipv4: '10.96.0.0/12', ipv6: 'fd00:10:96::/112' };
