/** IP family of a proxier: kube-proxy runs one proxier for each family, and every compiled rule set has one family. */
export type Family = 'ipv4' | 'ipv6';

/** As the API (`ipFamilies`, `addressType`) and sentences write it. */
export const familyNames: Readonly<Record<Family, 'IPv4' | 'IPv6'>> = { ipv4: 'IPv4', ipv6: 'IPv6' };
