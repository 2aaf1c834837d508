export type ProxyMode = 'iptables' | 'ipvs' | 'nftables' | 'userspace';
