/** What people ask about that is the same whatever the objects are: texts for `k8snet explain`, and for the page's lessons. */
export interface GeneralTopic {
  readonly title: string;
  /** A paragraph each; the first says what it is. */
  readonly about: readonly string[];
  /** Where versions and dates come from, as references of problems are written, or addresses. */
  readonly refs?: readonly string[];
}

/** By the name that `k8snet explain` takes. Versions are those of Kubernetes. */
export const generalTopics = {
  masquerade: {
    title: 'Why Pods see the address of a node',
    about: [
      'A masqueraded packet carries the address of the node as its source, so that the answer comes back to the node that translated the destination. Otherwise the endpoint would answer the client directly, from an address that the client never asked.',
      'kube-proxy masquerades what comes from outside the Pods’ range to a cluster IP, what comes in through node ports, external IPs and load balancers under externalTrafficPolicy Cluster, and a Pod’s connection to itself through its own Service. With masqueradeAll it masquerades all traffic to cluster IPs.',
      'A rule marks the packet early (iptables and IPVS mode: mark 0x4000, by the chain KUBE-MARK-MASQ), and a rule in postrouting masquerades what is marked. What the Pod then sees, in logs and for its own rules, is the node.',
    ],
  },
  'external-traffic-policy': {
    title: 'externalTrafficPolicy: which endpoints get traffic from outside',
    about: [
      'Cluster, the default, lets every node send what comes in through node ports, external IPs and load balancers to any endpoint, and masquerades it: the client’s address is lost. Local sends it to endpoints of the same node only and keeps the client’s address.',
      'Under Local a node without an endpoint drops such packets. For Services of type LoadBalancer, kube-proxy answers on healthCheckNodePort whether the node has one, so that load balancers leave the others out. Shares are by node then: two Pods on one node get as much together as one Pod on another.',
      'It does not count for cluster IPs. Pods on a node, and the node itself, that connect to a load balancer’s address, an external IP or a node port there get all endpoints in iptables and nftables mode, under Local too; in IPVS mode they get those of the node.',
    ],
    refs: ['KEP-1669'],
  },
  'internal-traffic-policy': {
    title: 'internalTrafficPolicy: which endpoints get traffic to the cluster IP',
    about: [
      'Cluster, the default, sends connections to the cluster IP to any endpoint. Local sends them to endpoints of the same node only; a node without an endpoint drops them.',
      'kube-proxy has honored it since 1.22 (stable in 1.26). It does not count for node ports, external IPs and load balancers.',
    ],
    refs: ['KEP-2086'],
  },
  headless: {
    title: 'Headless Services: names without an address',
    about: [
      'A Service with clusterIP: None has no address and no rules on any node. Its name resolves to the addresses of its Pods, and clients choose among them.',
      'Since nothing translates, targetPort does not count: clients connect to the port that the Pod listens on. Each Pod with a hostname and this Service as its subdomain has a name of its own, such as web-0.web.shop.svc.cluster.local.',
      'Pods that are not ready are left out, unless publishNotReadyAddresses is set. Clients that keep an answer longer than its time to live go on asking Pods that are gone.',
    ],
  },
  hairpin: {
    title: 'Hairpin: a Pod that reaches itself through its Service',
    about: [
      'A Pod connects to its own Service, and the choice falls on the Pod itself. The packet goes out and comes back in through the same interface. Without masquerading, the Pod would get a packet from its own address.',
      'kube-proxy masquerades these connections, whatever the policies say. Where Pods hang on a bridge, the bridge must send packets back to the port that they came from (hairpin mode, or promiscuous mode), which is the network plugin’s part.',
    ],
  },
  conntrack: {
    title: 'Connections are decided once',
    about: [
      'The kernel takes the rules of kube-proxy for the first packet of a connection only. Connection tracking remembers the translation and applies it to every later packet, and reversed to every answer. Changed rules do not move open connections.',
      'A TCP connection to an endpoint that has gone ends by itself. UDP has no end: as long as a client sends from the same port, its entry stays, and packets go to a Pod that is not there any more. kube-proxy deletes such entries when an endpoint goes.',
      '`conntrack -L -d CLUSTER-IP` shows them. If the table is full, new connections are lost: compare net.netfilter.nf_conntrack_count with nf_conntrack_max.',
    ],
  },
  dns: {
    title: 'From a name to a Service',
    about: [
      'The cluster’s DNS answers web.shop.svc.cluster.local with the cluster IP of the Service web in the namespace shop, or with the addresses of its Pods if it is headless. The question itself goes to a Service, usually kube-dns in kube-system, through the same rules as any other connection.',
      'A Pod’s /etc/resolv.conf names that Service and a search list: web is asked for as web.NAMESPACE.svc.cluster.local first. A name with fewer dots than ndots (5) goes through the whole list before it is asked for as it is; a dot at its end avoids that.',
      'A Service of type ExternalName is an alias: its name answers with another name (CNAME), and no rule has anything to do with it.',
      '`k8snet emit dns` prints the records of manifests, `k8snet emit resolv.conf` what a Pod gets.',
    ],
    refs: ['https://github.com/kubernetes/dns/blob/master/docs/specification.md'],
  },
  'network-policy': {
    title: 'NetworkPolicy: who may connect to whom',
    about: [
      'A Pod that no policy selects in a direction may connect, or be connected to, without limits in that direction. Once a policy selects it, only what some policy allows is allowed. Policies only add: no NetworkPolicy takes away what another one allows.',
      'Both sides count: the sender’s egress and the receiver’s ingress must allow a connection. Answers to allowed connections need no rule. The node of a Pod always reaches it.',
      'kube-proxy has no part in it: the network plugin enforces policies, and without one that does, they have no effect. Rules meet the addresses of Pods, behind the translation: allow the Pods’ ports, not those of the Service.',
    ],
    refs: ['https://kubernetes.io/docs/concepts/services-networking/network-policies/'],
  },
  'cluster-network-policy': {
    title: 'AdminNetworkPolicy, ClusterNetworkPolicy: policies of the whole cluster',
    about: [
      'policy.networking.k8s.io has policies that an administrator writes for all namespaces: AdminNetworkPolicy and BaselineAdminNetworkPolicy (v1alpha1), and ClusterNetworkPolicy (v1alpha2), which has both tiers in one kind. They are CRDs, and the network plugin must support them.',
      'A connection is tried in this order: the Admin tier by priority, lowest number first; then NetworkPolicies, if one selects the Pod; otherwise the Baseline tier; at last it is allowed. The first rule that matches decides: Allow (Accept in v1alpha2) or Deny; Pass leaves the tier. Rules of a policy are tried in their order.',
      'Where policies of one tier have equal priority and disagree, a cluster may do either: `k8snet policy test` says so, and exits 3. It cannot know the addresses of domain names.',
    ],
    refs: ['KEP-2091', 'https://network-policy-api.sigs.k8s.io/'],
  },
  'traffic-distribution': {
    title: 'trafficDistribution: endpoints that are close',
    about: [
      'spec.trafficDistribution asks for endpoints near the client: PreferClose and PreferSameZone for those of its zone, PreferSameNode for those of its node. Without one, all endpoints are used.',
      'kube-proxy follows hints in EndpointSlices, which a controller writes. It has honored zones of this field since 1.31 (behind a feature gate in 1.30, stable in 1.33), and nodes since 1.34 (behind a gate in 1.33, stable in 1.35). It takes the place of the annotation service.kubernetes.io/topology-mode.',
      'Near is not even: if most clients are in one zone, so is most of the load.',
    ],
    refs: ['KEP-4444', 'KEP-3015'],
  },
  'ip-mode': {
    title: 'ipMode: whether nodes answer for a load balancer’s address',
    about: [
      'status.loadBalancer.ingress[].ipMode says how packets from a load balancer arrive. VIP, the default, means with its address as their destination: nodes have rules for the address, and Pods that connect to it never reach the load balancer. Proxy means with a node’s address: nodes have no rules, and Pods go through the load balancer.',
      'kube-proxy has honored it since 1.30 (behind a feature gate in 1.29, stable in 1.32). The cloud provider sets it, not the author of the Service.',
    ],
    refs: ['KEP-1860'],
  },
  'external-ips': {
    title: 'externalIPs: addresses that somebody else routes to a node',
    about: [
      'spec.externalIPs names addresses at which every node answers for the Service, at its ports. Nothing in Kubernetes brings packets there: whoever runs the network routes the addresses to a node.',
      'Any address will do, so whoever may write Services can take the traffic of Pods and nodes to addresses that belong to others. The admission plugin DenyServiceExternalIPs, since 1.21, refuses new ones.',
      'The field has been deprecated since 1.36. Since then kube-proxy has had the feature gate AllowServiceExternalIPs, which is on by default; where it is off, nodes ignore the addresses. A Service of type LoadBalancer, or a Gateway, takes its place. `k8snet lint` finds its uses.',
    ],
    refs: ['KEP-5707', 'CVE-2020-8554'],
  },
  'load-balancer-ip': {
    title: 'loadBalancerIP: the address that a load balancer is asked for',
    about: [
      'spec.loadBalancerIP asks the provider for one address of a Service of type LoadBalancer. Some providers ignore it, and it holds one address of one IP family.',
      'The field has been deprecated since 1.24, and still works where the provider reads it: ask the provider which annotation reserves an address. Nodes answer at what status.loadBalancer says, whatever was asked for.',
    ],
    refs: ['https://kubernetes.io/docs/concepts/services-networking/service/#loadbalancer'],
  },
  'service-cidr': {
    title: 'ServiceCIDR: where cluster IPs come from',
    about: [
      'Cluster IPs are taken from the ranges of ServiceCIDR objects. The first one, named kubernetes, holds the API server’s --service-cluster-ip-range; further ones add addresses without a restart. The API has been stable since 1.33.',
      'In nftables mode kube-proxy drops connections to unused addresses of these ranges; in the other modes such packets leave by the default route.',
    ],
    refs: ['KEP-1880'],
  },
  'endpoint-slice': {
    title: 'EndpointSlice: where a Service’s endpoints stand',
    about: [
      'EndpointSlices hold the addresses behind a Service, usually up to 100 each; the label kubernetes.io/service-name says whose they are. A controller makes them from the Pods that the selector finds. For a Service without selector you write them yourself.',
      'Each endpoint says whether it is ready, serving and terminating. kube-proxy sends connections to ready endpoints; where all are terminating, it sends them to those that still serve.',
      'kube-proxy has read them instead of Endpoints since 1.19. Endpoints cut off at 1000 addresses and know one IP family; they have been deprecated since 1.33 (April 2025), and the API keeps them.',
    ],
    refs: ['KEP-752', 'KEP-4974'],
  },
  nftables: {
    title: 'nftables mode: one table, and maps',
    about: [
      'In nftables mode kube-proxy has a table of its own, kube-proxy, in each IP family. One rule looks up address, protocol and port in a map and goes on to the chain of the Service, so packets are not slower where there are more Services.',
      'The mode needs Linux 5.13 or newer. It came as alpha in 1.29 (December 2023), was beta in 1.31 (August 2024), and has been stable since 1.33 (April 2025). Node ports do not answer on loopback addresses; by default they answer on the node’s primary addresses only.',
      'Its rules stand beside those of iptables: what iptables drops, nftables mode does not bring back. `nft list ruleset` shows both.',
    ],
    refs: ['KEP-3866'],
  },
  ipvs: {
    title: 'IPVS mode: a load balancer in the kernel',
    about: [
      'In IPVS mode each Service port is a virtual server with its endpoints as real servers, found by a hash. Every cluster IP stands on the interface kube-ipvs0, so that the node accepts packets to it.',
      'iptables still marks and masquerades, and asks sets (KUBE-CLUSTER-IP and others). `ipvsadm -Ln` shows servers and connections, `ipset list` the sets.',
      'The mode has been stable since 1.11 (June 2018) and deprecated since 1.35 (December 2025); nftables mode is meant to take its place.',
    ],
    refs: ['KEP-265', 'KEP-5495'],
  },
  ingress: {
    title: 'Ingress: HTTP from outside, by name and path',
    about: [
      'An Ingress maps host names and paths to Services. Rules on nodes know nothing of it: a controller, itself a Pod behind a Service, reads Ingresses and passes requests on, usually to endpoints directly and not through the cluster IP.',
      'So there are two ways to look at: from the client to the controller’s Service (node port or load balancer), and from the controller to the endpoints. NetworkPolicies must let the controller in.',
      'networking.k8s.io/v1 has been the only version that servers have since 1.22. The API is frozen, and stays; Gateway API is where new features go. The most used controller, ingress-nginx, was retired in March 2026: it gets no fixes any more. `k8snet emit ingress` prints a configuration of nginx.',
    ],
    refs: [
      'https://kubernetes.io/docs/reference/using-api/deprecation-guide/',
      'https://kubernetes.io/blog/2025/11/11/ingress-nginx-retirement/',
    ],
  },
  'gateway-api': {
    title: 'Gateway API: what came after Ingress',
    about: [
      'A Gateway listens; an HTTPRoute (or GRPCRoute, TLSRoute, TCPRoute, UDPRoute) attaches to it and names the Services behind. Its kinds are CRDs of gateway.networking.k8s.io, installed apart from Kubernetes; Gateway, GatewayClass and HTTPRoute are v1 since 2023.',
      'Rules on nodes know nothing of it. An implementation runs proxies, or programs a load balancer; requests mostly go from there to endpoints directly, not through the cluster IP. NetworkPolicies must let the proxies in.',
      'k8snet checks that the Services and ports of routes exist (`k8snet lint`). It does not work out which route takes a request, nor the way through the gateway; ask for the way from the proxy to the Service with `k8snet trace`.',
    ],
    refs: ['https://kubernetes.io/blog/2023/10/31/gateway-api-ga/', 'https://gateway-api.sigs.k8s.io/'],
  },
  'multi-cluster': {
    title: 'MCS: Services of several clusters',
    about: [
      'A ServiceExport offers a Service to the other clusters of a set; a ServiceImport stands for it there, and is found as NAME.NAMESPACE.svc.clusterset.local. Both are CRDs of multicluster.x-k8s.io, with implementations of their own.',
      'How the address of a ServiceImport is served differs: some make a Service of their own beside it, which kube-proxy then writes rules for like any other.',
      'k8snet reads the Services of one cluster. It says which of these objects it met, and answers no name below clusterset.local.',
    ],
    refs: ['KEP-1645'],
  },
} as const satisfies Readonly<Record<string, GeneralTopic>>;

export type GeneralTopicName = keyof typeof generalTopics;
