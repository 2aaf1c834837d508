/** IP family of a proxier: kube-proxy runs one for each, and so does every compiled rule set. */
export type Family = 'ipv4' | 'ipv6';
