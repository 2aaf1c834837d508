/**
 * What one kube-proxy version decides, whatever the words it is written in: which endpoints count, which fields are
 * honored, what is masqueraded. The plan reads these; emitters see only the plan. A value may differ between the modes
 * of one version (`modes` of a row).
 */
export interface PlanDialect {
  /** Names of unnamed ports: `ns/name:` (always), `ns/name` (onlyNamed). */
  readonly servicePortColon: 'always' | 'onlyNamed';

  /** Endpoints that are not ready are known too; before, such a one cannot hide a ready one with its address. */
  readonly knowsNotReady: boolean;
  /** What makes two endpoints of a port the same: their IP alone, or IP and port. */
  readonly endpointIdentity: 'ip' | 'address';
  /** Of two equal endpoints the first stays, unless the later one is of this node, or is not terminating. */
  readonly replacesEndpoint: 'byLocal' | 'byNotTerminating';
  /** Order of a port's endpoints: that of the objects, or by `ip:port` as text. */
  readonly endpointOrder: 'given' | 'sorted';
  /** IPs of endpoints: as written in their slice, or canonical. Their order and the names made of them follow. */
  readonly endpointIP: 'asWritten' | 'canonical';
  /** External IPs and load-balancer addresses: as written in the Service, or canonical. */
  readonly externalAddress: 'asWritten' | 'canonical';

  /** Serving, terminating endpoints are used when no ready one is left. */
  readonly usesTerminating: boolean;
  /** Endpoints that are not ready count as reachable: they keep their chains, and clients with affinity. */
  readonly reachesNotReady: boolean;
  /** Topology hints: off; annotation topology-aware-hints says Auto; any value of it or topology-mode; no annotation needed. */
  readonly hints: 'off' | 'auto' | 'any' | 'always';
  /** Hints for nodes count, before those for zones. */
  readonly honoursNodeHints: boolean;

  /** externalTrafficPolicy Local: unknown; of NodePort and LoadBalancer Services; of every Service with external addresses. */
  readonly externalPolicy: 'ignored' | 'ofNodePorts' | 'ofExternal';
  /** externalTrafficPolicy Local holds for external IPs too. */
  readonly externalIPHonoursLocal: boolean;
  /** Local Pods, and the node itself, reach all endpoints through an external address with policy Local. */
  readonly podsBypassLocal: boolean;
  readonly nodeBypassesLocal: boolean;
  /** A Local policy that finds no endpoint here uses those of other nodes. */
  readonly fallsBackToCluster: boolean;
  /**
   * internalTrafficPolicy Local: unknown; cuts the endpoints of every address to local ones, unless the external policy
   * is Local too, or in any case; or holds for the cluster IP.
   */
  readonly internalPolicy: 'ignored' | 'cutUnlessExternalLocal' | 'cut' | 'honored';
  /** externalTrafficPolicy and source ranges may also be given by the beta annotations of that time. */
  readonly readsBetaAnnotations: boolean;
  readonly honoursIpMode: boolean;
  /** Services have no external IPs, whatever they say. */
  readonly ignoresExternalIPs: boolean;
  /** Seconds of ClientIP affinity: a constant of the version, or the Service's own. */
  readonly affinitySeconds: number | 'field';

  /** A source range with blanks around it counts. */
  readonly trimsSourceRanges: boolean;
  /** Source ranges are printed as parsed networks, not as written. */
  readonly masksSourceRanges: boolean;
  /** Source ranges that hold a /0 stand for no ranges. */
  readonly opensByZeroRange: boolean;

  /**
   * How traffic of local pods can be told: by the cluster CIDR alone, whatever detectLocalMode says; by the CIDR of the
   * cluster or of the node; by these or by the names of interfaces. A mode that is not known tells nothing.
   */
  readonly localDetectors: 'clusterCIDR' | 'cidrs' | 'all';
  /** The range that tells Pods is written as a network in canonical form; before, as the setting or the Node has it. */
  readonly masksPodRange: boolean;
  /** Traffic from outside the cluster to a cluster IP is masqueraded, where pods can be told. */
  readonly masqueradesOffCluster: boolean;
  /** Traffic to external IPs is masqueraded: all of it, or what is not of local pods where those can be told. */
  readonly externalIPMasquerade: 'always' | 'offCluster';
  /** Node ports with policy Local masquerade what comes from 127.0.0.0/8. */
  readonly masqueradesLoopbackNodePort: boolean;

  readonly invalidDrop: 'no' | 'yes' | 'unlessLiberal';
  readonly honoursNodePortAddresses: boolean;
  /**
   * Words in nodePortAddresses: none; `primary`, for the addresses of the node, alone; or any of `primary`, `localhost` and
   * `all`, beside each other and beside networks.
   */
  readonly nodePortWords: 'none' | 'primaryAlone' | 'any';
  /** Ranges in nodePortAddresses that stand for every address: `0.0.0.0/0` and `::/0`, or whatever has a prefix of 0 bits. */
  readonly zeroNodePortRange: 'literal' | 'anySpelling';
  /** Where node ports are open without an entry of the family: everywhere, on the node's IP, on that or else everywhere. */
  readonly defaultNodePorts: 'anyLocal' | 'nodeIP' | 'nodeIPOrAny';
  readonly honoursLocalhostNodePorts: boolean;
  /** Entries of an EndpointSlice are sorted by their addresses before those for one address are merged. */
  readonly sortsSlices: boolean;
  /** nf_conntrack_max is at most 1048576, however many CPUs there are. */
  readonly capsConntrack: boolean;
  /**
   * Labels service-proxy-name and headless, whatever their value, hide Services and EndpointSlices alike; or the one hides
   * Services and the other EndpointSlices.
   */
  readonly hidingLabels: 'eitherOfBoth' | 'oneOfEach';
}
