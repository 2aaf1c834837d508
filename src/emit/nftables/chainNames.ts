/** Names of kube-proxy's fixed chains, sets and maps. */
export const chains = {
  filterPrerouting: 'filter-prerouting',
  filterInput: 'filter-input',
  filterForward: 'filter-forward',
  filterOutput: 'filter-output',
  filterOutputPostDnat: 'filter-output-post-dnat',
  natPrerouting: 'nat-prerouting',
  natOutput: 'nat-output',
  natPostrouting: 'nat-postrouting',
  nodePortEndpointsCheck: 'nodeport-endpoints-check',
  serviceEndpointsCheck: 'service-endpoints-check',
  firewallCheck: 'firewall-check',
  clusterIPsCheck: 'cluster-ips-check',
  services: 'services',
  masquerading: 'masquerading',
  markForMasquerade: 'mark-for-masquerade',
  reject: 'reject-chain',
} as const;

export const sets = {
  clusterIPs: 'cluster-ips',
  nodePortIPs: 'nodeport-ips',
  noEndpointServices: 'no-endpoint-services',
  noEndpointNodePorts: 'no-endpoint-nodeports',
  firewallIPs: 'firewall-ips',
  serviceIPs: 'service-ips',
  serviceNodePorts: 'service-nodeports',
} as const;
