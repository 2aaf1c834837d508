/** Names of kube-proxy's fixed chains, apart from base chains, and of its sets and maps. */
export const chains = {
  endpointsCheck: 'endpoints-check',
  nodePortEndpointsCheck: 'nodeport-endpoints-check',
  serviceEndpointsCheck: 'service-endpoints-check',
  forward: 'forward',
  firewallCheck: 'firewall-check',
  firewallAllowCheck: 'firewall-allow-check',
  clusterIPsCheck: 'cluster-ips-check',
  services: 'services',
  masquerading: 'masquerading',
  markForMasquerade: 'mark-for-masquerade',
  reject: 'reject-chain',
} as const;

export const sets = {
  hairpinConnections: 'hairpin-connections',
  clusterIPs: 'cluster-ips',
  nodePortIPs: 'nodeport-ips',
  noEndpointServices: 'no-endpoint-services',
  noEndpointNodePorts: 'no-endpoint-nodeports',
  firewall: 'firewall',
  firewallAllow: 'firewall-allow',
  firewallIPs: 'firewall-ips',
  serviceIPs: 'service-ips',
  serviceNodePorts: 'service-nodeports',
  rejectedLocalPorts: 'localhost-nodeport-reject-ports',
} as const;
