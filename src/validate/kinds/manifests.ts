import type { ClusterPolicyObject } from './clusterPolicyObjects.ts';
import type { Manifest } from './manifest.ts';
import type { NetworkPolicyObject } from './networkPolicyObjects.ts';
import type { Labels, Maybe, ObjectMeta } from './objectMeta.ts';
import type { BlockAffinityObject, ConfigMapObject, IngressObject, SecretObject } from './objectsBesideRules.ts';
import type { OtherPolicyObject } from './policyKinds.ts';

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
  readonly serviceCIDRs: readonly Manifest<ServiceCIDRObject>[];
  readonly networkPolicies: readonly Manifest<NetworkPolicyObject>[];
  /** AdminNetworkPolicy, BaselineAdminNetworkPolicy, ClusterNetworkPolicy. */
  readonly clusterPolicies: readonly Manifest<ClusterPolicyObject>[];
  /** Policies of other kinds, which are not read: who judges connections says that they decide too. */
  readonly otherPolicies: readonly Manifest<OtherPolicyObject>[];
  /** Deployment, StatefulSet, DaemonSet, ReplicaSet, ReplicationController, Job: read only for `--assume-pods`. */
  readonly workloads: readonly Manifest<WorkloadObject>[];
  // The kinds from here on give no rules; a run that is about rules alone skips them.
  readonly ingresses: readonly Manifest<IngressObject>[];
  readonly secrets: readonly Manifest<SecretObject>[];
  readonly configMaps: readonly Manifest<ConfigMapObject>[];
  /** Calico's: which node has which block of Pod addresses. */
  readonly blockAffinities: readonly Manifest<BlockAffinityObject>[];
}

/** Ranges of cluster IPs, at most one a family; since 1.33 every cluster has one, called `kubernetes`. */
export interface ServiceCIDRObject {
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<{ readonly cidrs?: Maybe<readonly string[]> }>;
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
  readonly reason?: Maybe<string>;
  readonly message?: Maybe<string>;
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
      readonly hostIP?: Maybe<string>;
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
    readonly initContainerStatuses?: Maybe<readonly ContainerStatusObject[]>;
    readonly containerStatuses?: Maybe<readonly ContainerStatusObject[]>;
  }>;
}

export interface ContainerStatusObject {
  readonly name?: Maybe<string>;
  readonly state?: Maybe<{
    readonly running?: Maybe<{ readonly startedAt?: Maybe<string> }>;
    readonly waiting?: Maybe<{ readonly reason?: Maybe<string>; readonly message?: Maybe<string> }>;
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
    /** Labels of a ReplicationController, otherwise a label selector; not checked. */
    readonly selector?: unknown;
    /** Of a StatefulSet: the Service that names its Pods. */
    readonly serviceName?: Maybe<string>;
    readonly template?: Maybe<{
      readonly metadata?: Maybe<{ readonly labels?: Maybe<Labels> }>;
      readonly spec?: Maybe<PodSpecObject>;
    }>;
  };
}
