/** IP family of a proxier: kube-proxy runs one proxier for each family, and every compiled rule set has one family. */
export type Family = 'ipv4' | 'ipv6';
