import type { ClusterDns } from '../podDns/clusterDns.ts';

/** What the options of `emit dns` say, checked. */
export interface DnsSettings {
  /** Without a final dot. */
  readonly clusterDomain: string;
  readonly ttl: number;
  readonly serial: number;
  /** `spec`: only what the DNS specification 1.1.0 asks for. */
  readonly profile: 'coredns' | 'spec';
  readonly pods: 'disabled' | 'verified' | 'insecure';
  /** Namespaces that are served; undefined: all. */
  readonly namespaces: ReadonlySet<string> | undefined;
  /** Endpoints without a hostname are called as their Pods. */
  readonly usesPodNames: boolean;
  readonly server: ClusterDns;
}
