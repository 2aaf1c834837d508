/** A kind that can be read from a cluster. Secrets are never read. */
export interface LiveKind {
  readonly kind: string;
  readonly resource: string;
  /** Newest first: a server that does not have one may have the next. */
  readonly groupVersions: readonly string[];
  readonly isNamespaced: boolean;
  /** Only the objects with these names, the first that exists: a role may name them. */
  readonly only?: { readonly namespace: string; readonly names: readonly string[] };
  /** What is read from servers without the kind. */
  readonly instead?: LiveKindName;
  /** What is unknown without it. */
  readonly tells: string;
}

export const liveKinds: Readonly<Record<LiveKindName, LiveKind>> = {
  services: { ...namespaced('Service', 'services', 'v1'), tells: 'Services' },
  endpointSlices: {
    ...namespaced('EndpointSlice', 'endpointslices', 'discovery.k8s.io/v1'),
    instead: 'endpoints',
    tells: 'the endpoints of Services',
  },
  endpoints: { ...namespaced('Endpoints', 'endpoints', 'v1'), tells: 'the endpoints of Services' },
  nodes: { ...clusterWide('Node', 'nodes', 'v1'), tells: 'addresses, Pod ranges, zones and versions of nodes' },
  namespaces: { ...clusterWide('Namespace', 'namespaces', 'v1'), tells: 'the labels of namespaces' },
  pods: { ...namespaced('Pod', 'pods', 'v1'), tells: 'which Pod has which address' },
  serviceCIDRs: {
    ...clusterWide('ServiceCIDR', 'servicecidrs', 'networking.k8s.io/v1', 'networking.k8s.io/v1beta1'),
    tells: 'the ranges of cluster IPs',
  },
  networkPolicies: {
    ...namespaced('NetworkPolicy', 'networkpolicies', 'networking.k8s.io/v1'),
    tells: 'NetworkPolicies',
  },
  ingresses: { ...namespaced('Ingress', 'ingresses', 'networking.k8s.io/v1'), tells: 'Ingresses' },
  blockAffinities: {
    ...clusterWide('BlockAffinity', 'blockaffinities', 'crd.projectcalico.org/v1'),
    tells: 'which node has which block of Pod addresses',
  },
  proxyConfig: {
    ...namespaced('ConfigMap', 'configmaps', 'v1'),
    // EKS has the second name.
    only: { namespace: 'kube-system', names: ['kube-proxy', 'kube-proxy-config'] },
    tells: "kube-proxy's settings",
  },
};

export type LiveKindName =
  | 'services'
  | 'endpointSlices'
  | 'endpoints'
  | 'nodes'
  | 'namespaces'
  | 'pods'
  | 'serviceCIDRs'
  | 'networkPolicies'
  | 'ingresses'
  | 'blockAffinities'
  | 'proxyConfig';

/** What a command reads: without `needs` it has no answer, without one of `uses` some facts are unknown. */
export interface LiveNeeds {
  readonly needs: readonly LiveKindName[];
  readonly uses: readonly LiveKindName[];
  /** Policies of other kinds decide too: the command looks for those that the server has. */
  readonly hasOtherPolicies?: boolean;
}

/** All kinds that any command looks at. */
export const everyKind: LiveNeeds = {
  needs: ['services', 'endpointSlices'],
  uses: ['nodes', 'pods', 'namespaces', 'serviceCIDRs', 'networkPolicies', 'ingresses', 'proxyConfig'],
  hasOtherPolicies: true,
};

function namespaced(kind: string, resource: string, ...groupVersions: readonly string[]) {
  return { kind, resource, groupVersions, isNamespaced: true };
}

function clusterWide(kind: string, resource: string, ...groupVersions: readonly string[]) {
  return { kind, resource, groupVersions, isNamespaced: false };
}
