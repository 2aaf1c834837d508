export const proxyModes = ['iptables', 'ipvs', 'nftables', 'userspace'] as const;

export type ProxyMode = (typeof proxyModes)[number];

/** What kube-proxy runs in where nobody says anything. */
export const defaultMode: ProxyMode = 'iptables';

/** The mode of this name; undefined: there is none. */
export function proxyModeOf(name: unknown): ProxyMode | undefined {
  return proxyModes.find((mode) => mode === name);
}
