import type { ProxyMode } from '../common/proxy/proxyMode.ts';
/** The settings of kube-proxy that change what it writes: KubeProxyConfiguration, then flags, then its own defaults. */
export interface ProxyConfig {
  readonly mode: ProxyMode;
  /** As written; at most one a family. */
  readonly clusterCIDRs: readonly string[];
  readonly detectLocal: DetectLocal;
  readonly iptables: MasqueradeConfig & { readonly localhostNodePorts: boolean };
  readonly nftables: MasqueradeConfig;
  readonly ipvs: IpvsConfig;
  readonly userspace: UserspaceConfig;
  /** As given, both families: only the text `0.0.0.0/0` or `::/0` means every address, another /0 is matched. */
  readonly nodePortAddresses: readonly string[];
  readonly conntrack: ConntrackConfig;
  /** Those that were set. */
  readonly featureGates: Readonly<Record<string, boolean>>;
}

/** Of userspace mode, where kube-proxy takes part in every connection. */
export interface UserspaceConfig {
  /** Canonical; empty: every address. */
  readonly bindAddress: string;
  /** Where it listens for each Service port. */
  readonly proxyPorts: { readonly first: number; readonly last: number };
}

export type DetectLocal =
  | { readonly kind: 'clusterCIDR' }
  | { readonly kind: 'nodeCIDR' }
  | { readonly kind: 'bridgeInterface'; readonly name: string }
  | { readonly kind: 'interfaceNamePrefix'; readonly prefix: string };

export interface MasqueradeConfig {
  readonly masqueradeAll: boolean;
  /** 0–31. */
  readonly masqueradeBit: number;
}

export interface IpvsConfig {
  readonly scheduler: string;
  readonly strictARP: boolean;
  readonly excludeCIDRs: readonly string[];
  /** Whole seconds; 0: left alone. */
  readonly tcpTimeout: number;
  readonly tcpFinTimeout: number;
  readonly udpTimeout: number;
}

/** Seconds, perhaps with a fraction; 0 and undefined leave the kernel's value. */
export interface ConntrackConfig {
  readonly maxPerCore: number;
  readonly min: number;
  readonly tcpEstablishedTimeout: number;
  readonly tcpCloseWaitTimeout: number;
  readonly tcpBeLiberal: boolean;
  readonly udpTimeout: number;
  readonly udpStreamTimeout: number;
}
