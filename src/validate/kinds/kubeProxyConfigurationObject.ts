import type { Maybe } from './objectMeta.ts';

/** `kubeproxy.config.k8s.io/v1alpha1`; durations are in Go's syntax, an empty text is the default. */
export interface KubeProxyConfigurationObject {
  readonly bindAddress?: Maybe<string>;
  readonly clusterCIDR?: Maybe<string>;
  readonly configSyncPeriod?: Maybe<string>;
  readonly conntrack?: Maybe<{
    readonly maxPerCore?: Maybe<number>;
    readonly min?: Maybe<number>;
    readonly tcpEstablishedTimeout?: Maybe<string>;
    readonly tcpCloseWaitTimeout?: Maybe<string>;
    readonly tcpBeLiberal?: Maybe<boolean>;
    readonly udpTimeout?: Maybe<string>;
    readonly udpStreamTimeout?: Maybe<string>;
  }>;
  readonly detectLocal?: Maybe<{
    readonly bridgeInterface?: Maybe<string>;
    readonly interfaceNamePrefix?: Maybe<string>;
  }>;
  readonly detectLocalMode?: Maybe<'ClusterCIDR' | 'NodeCIDR' | 'BridgeInterface' | 'InterfaceNamePrefix' | ''>;
  readonly featureGates?: Maybe<Readonly<Record<string, boolean>>>;
  readonly healthzBindAddress?: Maybe<string>;
  readonly hostnameOverride?: Maybe<string>;
  readonly iptables?: Maybe<MasqueradeObject & { readonly localhostNodePorts?: Maybe<boolean> }>;
  readonly ipvs?: Maybe<
    SyncPeriods & {
      readonly excludeCIDRs?: Maybe<readonly string[]>;
      readonly scheduler?: Maybe<string>;
      readonly strictARP?: Maybe<boolean>;
      readonly tcpTimeout?: Maybe<string>;
      readonly tcpFinTimeout?: Maybe<string>;
      readonly udpTimeout?: Maybe<string>;
    }
  >;
  readonly metricsBindAddress?: Maybe<string>;
  readonly mode?: Maybe<'iptables' | 'ipvs' | 'nftables' | 'userspace' | ''>;
  /** Of userspace mode. */
  readonly portRange?: Maybe<string>;
  readonly nftables?: Maybe<MasqueradeObject>;
  readonly nodePortAddresses?: Maybe<readonly string[]>;
}

interface SyncPeriods {
  readonly syncPeriod?: Maybe<string>;
  readonly minSyncPeriod?: Maybe<string>;
}

interface MasqueradeObject extends SyncPeriods {
  readonly masqueradeAll?: Maybe<boolean>;
  readonly masqueradeBit?: Maybe<number>;
}
