import type { Origin } from '../diagnostics/diagnostic.ts';

/**
 * The checked objects of a run, by kind. Only the fields that k8snet reads have types; `null` stands for absent, as in
 * the API. After validation every field that is present has the type given here and a legal value.
 */
export interface Manifests {
  readonly services: readonly Manifest<ServiceObject>[];
  readonly endpoints: readonly Manifest<EndpointsObject>[];
  readonly endpointSlices: readonly Manifest<EndpointSliceObject>[];
  readonly nodes: readonly Manifest<NodeObject>[];
  readonly pods: readonly Manifest<PodObject>[];
  readonly namespaces: readonly Manifest<NamespaceObject>[];
  readonly networkPolicies: readonly Manifest<NetworkPolicyObject>[];
  /** Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Job: read only for `--assume-pods`. */
  readonly workloads: readonly Manifest<WorkloadObject>[];
  // The kinds from here on give no rules; a run that is about rules alone skips them.
  readonly ingresses: readonly Manifest<IngressObject>[];
  readonly secrets: readonly Manifest<SecretObject>[];
  readonly configMaps: readonly Manifest<ConfigMapObject>[];
  /** Calico's: which node has which block of Pod addresses. */
  readonly blockAffinities: readonly Manifest<BlockAffinityObject>[];
}

export interface Manifest<T> {
  readonly value: T;
  readonly origin: Origin;
}

type Maybe<T> = T | null | undefined;
export type Labels = Readonly<Record<string, string>>;

export interface ObjectMeta {
  readonly name: string;
  readonly namespace?: Maybe<string>;
  readonly labels?: Maybe<Labels>;
  readonly annotations?: Maybe<Labels>;
  readonly deletionTimestamp?: Maybe<string>;
  readonly ownerReferences?: unknown;
  /** RFC 3339. */
  readonly creationTimestamp?: Maybe<string>;
}

export interface ServiceObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly type?: Maybe<'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName'>;
    readonly clusterIP?: Maybe<string>;
    readonly clusterIPs?: Maybe<readonly string[]>;
    readonly ipFamilies?: Maybe<readonly ('IPv4' | 'IPv6')[]>;
    readonly ipFamilyPolicy?: Maybe<'SingleStack' | 'PreferDualStack' | 'RequireDualStack'>;
    readonly externalName?: Maybe<string>;
    readonly externalIPs?: Maybe<readonly string[]>;
    readonly loadBalancerIP?: Maybe<string>;
    readonly loadBalancerClass?: Maybe<string>;
    readonly allocateLoadBalancerNodePorts?: Maybe<boolean>;
    readonly loadBalancerSourceRanges?: Maybe<readonly string[]>;
    readonly externalTrafficPolicy?: Maybe<'Cluster' | 'Local'>;
    readonly internalTrafficPolicy?: Maybe<'Cluster' | 'Local'>;
    readonly trafficDistribution?: Maybe<string>;
    readonly healthCheckNodePort?: Maybe<number>;
    readonly publishNotReadyAddresses?: Maybe<boolean>;
    readonly sessionAffinity?: Maybe<'None' | 'ClientIP'>;
    readonly sessionAffinityConfig?: Maybe<{ readonly clientIP?: Maybe<{ readonly timeoutSeconds?: Maybe<number> }> }>;
    readonly selector?: Maybe<Labels>;
    readonly ports?: Maybe<readonly ServicePortObject[]>;
  };
  readonly status?: Maybe<{
    readonly loadBalancer?: Maybe<{
      readonly ingress?: Maybe<
        readonly {
          readonly ip?: Maybe<string>;
          readonly hostname?: Maybe<string>;
          readonly ipMode?: Maybe<'VIP' | 'Proxy'>;
        }[]
      >;
    }>;
  }>;
}

export interface ServicePortObject {
  readonly name?: Maybe<string>;
  readonly protocol?: Maybe<'TCP' | 'UDP' | 'SCTP'>;
  readonly port: number;
  readonly targetPort?: Maybe<number | string>;
  readonly nodePort?: Maybe<number>;
  readonly appProtocol?: Maybe<string>;
}

export interface EndpointsObject {
  readonly metadata: ObjectMeta;
  readonly subsets?: Maybe<
    readonly {
      readonly addresses?: Maybe<readonly EndpointAddressObject[]>;
      readonly notReadyAddresses?: Maybe<readonly EndpointAddressObject[]>;
      readonly ports?: Maybe<
        readonly {
          readonly name?: Maybe<string>;
          readonly protocol?: Maybe<'TCP' | 'UDP' | 'SCTP'>;
          readonly port: number;
        }[]
      >;
    }[]
  >;
}

export interface EndpointAddressObject {
  readonly ip: string;
  readonly hostname?: Maybe<string>;
  readonly nodeName?: Maybe<string>;
  readonly targetRef?: Maybe<TargetRefObject>;
}

export interface TargetRefObject {
  readonly kind?: Maybe<string>;
  readonly name?: Maybe<string>;
}

export interface EndpointSliceObject {
  readonly metadata: ObjectMeta;
  readonly addressType: 'IPv4' | 'IPv6' | 'FQDN';
  readonly endpoints?: Maybe<
    readonly {
      readonly addresses: readonly string[];
      readonly conditions?: Maybe<{
        readonly ready?: Maybe<boolean>;
        readonly serving?: Maybe<boolean>;
        readonly terminating?: Maybe<boolean>;
      }>;
      readonly hostname?: Maybe<string>;
      readonly targetRef?: Maybe<TargetRefObject>;
      readonly deprecatedTopology?: Maybe<Labels>;
      readonly nodeName?: Maybe<string>;
      readonly zone?: Maybe<string>;
      readonly hints?: Maybe<{
        readonly forZones?: Maybe<readonly { readonly name: string }[]>;
        readonly forNodes?: Maybe<readonly { readonly name: string }[]>;
      }>;
    }[]
  >;
  readonly ports?: Maybe<
    readonly {
      readonly name?: Maybe<string>;
      readonly protocol?: Maybe<'TCP' | 'UDP' | 'SCTP'>;
      readonly port?: Maybe<number>;
    }[]
  >;
}

export interface NodeObject {
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<{ readonly podCIDR?: Maybe<string>; readonly podCIDRs?: Maybe<readonly string[]> }>;
  readonly status?: Maybe<{
    readonly addresses?: Maybe<readonly { readonly type: string; readonly address: string }[]>;
    readonly conditions?: Maybe<readonly ConditionObject[]>;
    readonly nodeInfo?: Maybe<{ readonly kubeProxyVersion?: Maybe<string>; readonly kubeletVersion?: Maybe<string> }>;
  }>;
}

export interface ConditionObject {
  readonly type: string;
  readonly status: string;
}

export interface ContainerObject {
  readonly name?: Maybe<string>;
  readonly restartPolicy?: Maybe<string>;
  readonly ports?: Maybe<
    readonly {
      readonly name?: Maybe<string>;
      readonly containerPort: number;
      readonly protocol?: Maybe<'TCP' | 'UDP' | 'SCTP'>;
      readonly hostPort?: Maybe<number>;
    }[]
  >;
  readonly env?: Maybe<readonly { readonly name: string; readonly value?: unknown }[]>;
  readonly envFrom?: Maybe<
    readonly {
      readonly prefix?: Maybe<string>;
      readonly configMapRef?: Maybe<EnvSourceObject>;
      readonly secretRef?: Maybe<EnvSourceObject>;
    }[]
  >;
  readonly args?: unknown;
  readonly command?: unknown;
  readonly volumeMounts?: Maybe<readonly { readonly mountPath?: Maybe<string> }[]>;
}

interface EnvSourceObject {
  readonly name?: Maybe<string>;
  readonly optional?: Maybe<boolean>;
}

export interface DnsConfigObject {
  readonly nameservers?: Maybe<readonly string[]>;
  readonly searches?: Maybe<readonly string[]>;
  readonly options?: Maybe<readonly { readonly name?: Maybe<string>; readonly value?: Maybe<string> }[]>;
}

export interface PodSpecObject {
  readonly nodeName?: Maybe<string>;
  readonly hostNetwork?: Maybe<boolean>;
  readonly containers?: Maybe<readonly ContainerObject[]>;
  readonly initContainers?: Maybe<readonly ContainerObject[]>;
  readonly hostname?: Maybe<string>;
  /** Since 1.34. */
  readonly hostnameOverride?: Maybe<string>;
  readonly subdomain?: Maybe<string>;
  readonly setHostnameAsFQDN?: Maybe<boolean>;
  readonly dnsPolicy?: Maybe<string>;
  readonly dnsConfig?: Maybe<DnsConfigObject>;
  readonly hostAliases?: Maybe<readonly { readonly ip: string; readonly hostnames?: Maybe<readonly string[]> }[]>;
  readonly enableServiceLinks?: Maybe<boolean>;
}

export interface PodObject {
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<PodSpecObject>;
  readonly status?: Maybe<{
    readonly phase?: Maybe<string>;
    readonly podIP?: Maybe<string>;
    readonly podIPs?: Maybe<readonly { readonly ip: string }[]>;
    readonly hostIP?: Maybe<string>;
    readonly conditions?: Maybe<readonly ConditionObject[]>;
    readonly startTime?: Maybe<string>;
    readonly containerStatuses?: Maybe<
      readonly {
        readonly name?: Maybe<string>;
        readonly state?: Maybe<{ readonly running?: Maybe<{ readonly startedAt?: Maybe<string> }> }>;
      }[]
    >;
  }>;
}

export interface NamespaceObject {
  readonly metadata: ObjectMeta;
}

export interface WorkloadObject {
  /** The object's own kind, for messages and names. */
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly replicas?: Maybe<number>;
    readonly parallelism?: Maybe<number>;
    /** Labels of a ReplicationController, else a label selector; not checked. */
    readonly selector?: unknown;
    /** Of a StatefulSet: the Service that names its Pods. */
    readonly serviceName?: Maybe<string>;
    readonly template?: Maybe<{
      readonly metadata?: Maybe<{ readonly labels?: Maybe<Labels> }>;
      readonly spec?: Maybe<PodSpecObject>;
    }>;
  };
}

export interface LabelSelectorObject {
  readonly matchLabels?: Maybe<Labels>;
  readonly matchExpressions?: Maybe<
    readonly {
      readonly key: string;
      readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
      readonly values?: Maybe<readonly string[]>;
    }[]
  >;
}

export interface NetworkPolicyPeerObject {
  readonly podSelector?: Maybe<LabelSelectorObject>;
  readonly namespaceSelector?: Maybe<LabelSelectorObject>;
  readonly ipBlock?: Maybe<{ readonly cidr: string; readonly except?: Maybe<readonly string[]> }>;
}

export interface NetworkPolicyPortObject {
  readonly protocol?: Maybe<'TCP' | 'UDP' | 'SCTP'>;
  readonly port?: Maybe<number | string>;
  readonly endPort?: Maybe<number>;
}

export interface NetworkPolicyObject {
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<{
    readonly podSelector?: Maybe<LabelSelectorObject>;
    readonly policyTypes?: Maybe<readonly ('Ingress' | 'Egress')[]>;
    readonly ingress?: Maybe<
      readonly Maybe<{
        readonly from?: Maybe<readonly NetworkPolicyPeerObject[]>;
        readonly ports?: Maybe<readonly NetworkPolicyPortObject[]>;
      }>[]
    >;
    readonly egress?: Maybe<
      readonly Maybe<{
        readonly to?: Maybe<readonly NetworkPolicyPeerObject[]>;
        readonly ports?: Maybe<readonly NetworkPolicyPortObject[]>;
      }>[]
    >;
  }>;
}

/** `networking.k8s.io/v1`, and the fields of v1beta1 that it dropped. */
export interface IngressObject {
  readonly apiVersion: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<{
    readonly ingressClassName?: Maybe<string>;
    readonly defaultBackend?: Maybe<IngressBackendObject>;
    /** v1beta1. */
    readonly backend?: Maybe<IngressBackendObject>;
    readonly tls?: Maybe<readonly { readonly hosts?: Maybe<readonly string[]>; readonly secretName?: Maybe<string> }[]>;
    readonly rules?: Maybe<
      readonly {
        readonly host?: Maybe<string>;
        readonly http?: Maybe<{
          readonly paths?: Maybe<
            readonly {
              readonly path?: Maybe<string>;
              readonly pathType?: Maybe<string>;
              readonly backend?: Maybe<IngressBackendObject>;
            }[]
          >;
        }>;
      }[]
    >;
  }>;
}

export interface IngressBackendObject {
  readonly service?: Maybe<{
    readonly name?: Maybe<string>;
    readonly port?: Maybe<{ readonly name?: Maybe<string>; readonly number?: Maybe<number> }>;
  }>;
  readonly resource?: Maybe<object>;
  /** v1beta1. */
  readonly serviceName?: Maybe<string>;
  readonly servicePort?: Maybe<number | string>;
}

export interface SecretObject {
  readonly metadata: ObjectMeta;
  /** Base64. */
  readonly data?: Maybe<Labels>;
  readonly stringData?: Maybe<Labels>;
}

export interface ConfigMapObject {
  readonly metadata: ObjectMeta;
  readonly data?: Maybe<Labels>;
  readonly binaryData?: Maybe<Labels>;
}

export interface BlockAffinityObject {
  readonly metadata: ObjectMeta;
  readonly spec: {
    readonly cidr: string;
    readonly node: string;
    readonly state?: Maybe<string>;
    readonly deleted?: Maybe<string | boolean>;
  };
}

interface SyncPeriods {
  readonly syncPeriod?: Maybe<string>;
  readonly minSyncPeriod?: Maybe<string>;
}

interface MasqueradeObject extends SyncPeriods {
  readonly masqueradeAll?: Maybe<boolean>;
  readonly masqueradeBit?: Maybe<number>;
}

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
