export const proxyModes = ['iptables', 'ipvs', 'nftables', 'userspace'] as const;

export type ProxyMode = (typeof proxyModes)[number];
