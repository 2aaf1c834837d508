/** One of kube-proxy's sets. */
interface SetRow {
  /** The name in IPv4, and before 1.16 in IPv6 too. */
  readonly name: string;
  readonly type: 'hash:ip' | 'hash:ip,port' | 'hash:ip,port,ip' | 'hash:ip,port,net' | 'bitmap:port';
  /** Stands in iptables rules only, never in the set. */
  readonly comment: string;
}

/**
 * Every set that any version of kube-proxy makes; which ones, and in which order, its dialect says. SCTP node ports had a
 * bitmap, which matches any protocol, before they got a hash of addresses and ports.
 */
export const ipvsSets = {
  loopBack: row(
    'KUBE-LOOP-BACK',
    'hash:ip,port,ip',
    'Kubernetes endpoints dst ip:port, source ip for solving hairpin purpose',
  ),
  clusterIP: row('KUBE-CLUSTER-IP', 'hash:ip,port', 'Kubernetes service cluster ip + port for masquerade purpose'),
  externalIP: row(
    'KUBE-EXTERNAL-IP',
    'hash:ip,port',
    'Kubernetes service external ip + port for masquerade and filter purpose',
  ),
  externalIPLocal: row(
    'KUBE-EXTERNAL-IP-LOCAL',
    'hash:ip,port',
    'Kubernetes service external ip + port with externalTrafficPolicy=local',
  ),
  loadBalancer: row('KUBE-LOAD-BALANCER', 'hash:ip,port', 'Kubernetes service lb portal'),
  loadBalancerFirewall: row(
    'KUBE-LOAD-BALANCER-FW',
    'hash:ip,port',
    'Kubernetes service load balancer ip + port for load balancer with sourceRange',
  ),
  loadBalancerLocal: row(
    'KUBE-LOAD-BALANCER-LOCAL',
    'hash:ip,port',
    'Kubernetes service load balancer ip + port with externalTrafficPolicy=local',
  ),
  loadBalancerSourceIP: row(
    'KUBE-LOAD-BALANCER-SOURCE-IP',
    'hash:ip,port,ip',
    'Kubernetes service load balancer ip + port + source IP for packet filter purpose',
  ),
  loadBalancerSourceCIDR: row(
    'KUBE-LOAD-BALANCER-SOURCE-CIDR',
    'hash:ip,port,net',
    'Kubernetes service load balancer ip + port + source cidr for packet filter purpose',
  ),
  nodePortTCP: row('KUBE-NODE-PORT-TCP', 'bitmap:port', 'Kubernetes nodeport TCP port for masquerade purpose'),
  nodePortLocalTCP: row(
    'KUBE-NODE-PORT-LOCAL-TCP',
    'bitmap:port',
    'Kubernetes nodeport TCP port with externalTrafficPolicy=local',
  ),
  nodePortUDP: row('KUBE-NODE-PORT-UDP', 'bitmap:port', 'Kubernetes nodeport UDP port for masquerade purpose'),
  nodePortLocalUDP: row(
    'KUBE-NODE-PORT-LOCAL-UDP',
    'bitmap:port',
    'Kubernetes nodeport UDP port with externalTrafficPolicy=local',
  ),
  nodePortSCTP: row('KUBE-NODE-PORT-SCTP', 'bitmap:port', 'Kubernetes nodeport SCTP port for masquerade purpose'),
  nodePortLocalSCTP: row(
    'KUBE-NODE-PORT-LOCAL-SCTP',
    'bitmap:port',
    'Kubernetes nodeport SCTP port with externalTrafficPolicy=local',
  ),
  nodePortSCTPHash: row(
    'KUBE-NODE-PORT-SCTP-HASH',
    'hash:ip,port',
    "Kubernetes nodeport SCTP port for masquerade purpose with type 'hash ip:port'",
  ),
  nodePortLocalSCTPHash: row(
    'KUBE-NODE-PORT-LOCAL-SCTP-HASH',
    'hash:ip,port',
    "Kubernetes nodeport SCTP port with externalTrafficPolicy=local with type 'hash ip:port'",
  ),
  healthCheckNodePort: row('KUBE-HEALTH-CHECK-NODE-PORT', 'bitmap:port', 'Kubernetes health check node port'),
  ipvsIPs: row('KUBE-IPVS-IPS', 'hash:ip', 'Addresses on the ipvs interface'),
} as const;

export type SetKey = keyof typeof ipvsSets;

function row(name: string, type: SetRow['type'], comment: string): SetRow {
  return { name, type, comment };
}
