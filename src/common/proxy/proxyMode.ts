export const proxyModes = ['iptables', 'ipvs', 'nftables', 'userspace'] as const;

export type ProxyMode = (typeof proxyModes)[number];

/** The mode that kube-proxy uses by default. */
export const defaultMode: ProxyMode = 'iptables';

/** The mode of this name; undefined: there is none. */
export function proxyModeOf(name: unknown): ProxyMode | undefined {
  return proxyModes.find((mode) => mode === name);
}
