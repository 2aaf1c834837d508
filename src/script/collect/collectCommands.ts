/** One thing to ask a node or a cluster for. */
export interface CollectCommand {
  readonly where: 'node' | 'cluster';
  /** File that the answer goes to: `dumps/` is for `k8snet diff`, `cluster/` for its `-f`, `facts/` for people. */
  readonly file: `${'dumps' | 'facts' | 'cluster'}/${string}`;
  /** Words of the command; every one is plain for a shell (a test holds that). */
  readonly words: readonly string[];
  readonly what: string;
  /** A path without which the command is left out: asking would load a module of the kernel. */
  readonly needs?: string;
  /** A program that makes the command superfluous where it is installed. */
  readonly unless?: string;
}

/**
 * Everything that a comparison can use, each as one command that changes nothing. Both variants of iptables are asked by
 * their own names: what `iptables-save` alone shows is only the one that the host prefers.
 */
export const collectCommands: readonly CollectCommand[] = [
  node('dumps/iptables.legacy.v4.save', 'iptables-legacy-save -c', 'IPv4 rules, legacy variant'),
  node('dumps/iptables.legacy.v6.save', 'ip6tables-legacy-save -c', 'IPv6 rules, legacy variant'),
  node('dumps/iptables.nft.v4.save', 'iptables-nft-save -c', 'IPv4 rules, nft variant'),
  node('dumps/iptables.nft.v6.save', 'ip6tables-nft-save -c', 'IPv6 rules, nft variant'),
  {
    ...node('dumps/iptables.v4.save', 'iptables-save -c', 'IPv4 rules, where the variants have no names of their own'),
    unless: 'iptables-nft-save',
  },
  {
    ...node('dumps/iptables.v6.save', 'ip6tables-save -c', 'IPv6 rules, where the variants have no names of their own'),
    unless: 'ip6tables-nft-save',
  },
  node('dumps/nft.txt', 'nft list ruleset', 'all nftables rules'),
  node('facts/nft.json', 'nft -j list ruleset', 'all nftables rules, as JSON'),
  node('dumps/ipset.save', 'ipset save', 'sets'),
  { ...node('dumps/ipvsadm.save', 'ipvsadm -Sn', 'IPVS services'), needs: '/proc/net/ip_vs' },
  { ...node('facts/ipvsadm.list', 'ipvsadm -Ln', 'IPVS services and their connections'), needs: '/proc/net/ip_vs' },
  node('dumps/addresses.txt', 'ip -d addr show', "the node's addresses, kube-ipvs0 among them"),
  node('dumps/routes.v4.txt', 'ip -4 route show table all', 'IPv4 routes'),
  node('dumps/routes.v6.txt', 'ip -6 route show table all', 'IPv6 routes'),
  node('dumps/bridge.txt', 'bridge -d link', 'ports of bridges'),
  node('facts/policy-rules.txt', 'ip rule show', 'policy routing'),
  node('dumps/conntrack.udp.v4.txt', 'conntrack -L -f ipv4 -p udp', 'IPv4 connections over UDP'),
  node('dumps/conntrack.udp.v6.txt', 'conntrack -L -f ipv6 -p udp', 'IPv6 connections over UDP'),
  node('facts/conntrack.v4.txt', 'conntrack -L -f ipv4', 'IPv4 connections'),
  node('facts/conntrack.v6.txt', 'conntrack -L -f ipv6', 'IPv6 connections'),
  node(
    'facts/sysctl.txt',
    'sysctl -e net.ipv4.ip_forward net.ipv6.conf.all.forwarding net.ipv4.conf.all.route_localnet net.ipv4.conf.all.rp_filter net.bridge.bridge-nf-call-iptables net.bridge.bridge-nf-call-ip6tables net.netfilter.nf_conntrack_max net.netfilter.nf_conntrack_count net.netfilter.nf_conntrack_tcp_be_liberal net.ipv4.vs.conntrack net.ipv4.vs.conn_reuse_mode net.ipv4.vs.expire_nodest_conn net.ipv4.conf.all.arp_ignore net.ipv4.conf.all.arp_announce',
    'settings of the kernel',
  ),
  node('facts/modules.txt', 'lsmod', 'modules of the kernel'),
  node('facts/version.iptables.txt', 'iptables --version', 'version and variant of iptables'),
  node('facts/version.nft.txt', 'nft --version', 'version of nft'),
  node('facts/version.kernel.txt', 'uname -a', 'version of the kernel'),
  node('facts/healthz.txt', 'curl -s -m 5 http://127.0.0.1:10256/healthz', "kube-proxy's health"),
  node('facts/proxy-mode.txt', 'curl -s -m 5 http://127.0.0.1:10249/proxyMode', "kube-proxy's mode"),
  node('facts/metrics.txt', 'curl -s -m 5 http://127.0.0.1:10249/metrics', 'what kube-proxy counts of its syncs'),
  cluster('cluster/services.json', 'kubectl get services -A -o json', 'Services'),
  cluster('cluster/endpointslices.json', 'kubectl get endpointslices.discovery.k8s.io -A -o json', 'EndpointSlices'),
  cluster('cluster/endpoints.json', 'kubectl get endpoints -A -o json', 'Endpoints'),
  cluster('cluster/nodes.json', 'kubectl get nodes -o json', 'Nodes'),
  cluster('cluster/pods.json', 'kubectl get pods -A -o json', 'Pods (they hold environment variables)'),
  cluster('cluster/namespaces.json', 'kubectl get namespaces -o json', 'Namespaces'),
  cluster('cluster/servicecidrs.json', 'kubectl get servicecidrs.networking.k8s.io -o json', 'ServiceCIDRs'),
  cluster(
    'cluster/networkpolicies.json',
    'kubectl get networkpolicies.networking.k8s.io -A -o json',
    'NetworkPolicies',
  ),
  cluster(
    'cluster/kube-proxy.configmap.json',
    'kubectl get configmap kube-proxy -n kube-system -o json',
    "kube-proxy's configuration (kubeadm)",
  ),
  cluster('facts/version.kubernetes.json', 'kubectl version -o json', 'versions of kubectl and the API server'),
];

function node(file: CollectCommand['file'], command: string, what: string): CollectCommand {
  return { where: 'node', file, words: command.split(' '), what };
}

function cluster(file: CollectCommand['file'], command: string, what: string): CollectCommand {
  return { where: 'cluster', file, words: command.split(' '), what };
}
