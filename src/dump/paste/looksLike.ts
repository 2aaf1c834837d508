/** What a text without rules seems to be, and what to run instead; undefined: it looks like nothing known. */
export function looksLike(text: string): { readonly what: string; readonly instead: string } | undefined {
  const start = text.slice(0, 1 << 14);
  return known.find(({ pattern }) => pattern.test(start));
}

const rules = 'iptables-save, nft list ruleset, ipset save or ipvsadm -Sn as root on the node';

const known: readonly { readonly pattern: RegExp; readonly what: string; readonly instead: string }[] = [
  {
    pattern:
      /^# Warning: table ip6? \S+ is managed by iptables-nft|^table ip6? (?:nat|filter|mangle) \{[\s\S]*?(?:KUBE-|xt (?:match|target))/m,
    what: 'tables of iptables-nft as nft lists them',
    instead: 'run iptables-save (or iptables-nft-save) as root on the node: nft leaves out parts of such rules',
  },
  {
    pattern: /Failed to execute iptables-restore|iptables-restore[^\n]*(?:Couldn't load|line \d+ failed)/,
    what: 'kube-proxy’s log, in which iptables-restore refused all rules of a sync',
    instead: `look at the line that it names, which stops every update; to see what is on the node, run ${rules}`,
  },
  {
    pattern: /IPVS proxier will not be used|can(?:'|no)t use (?:the )?IPVS proxier|"ipvs" unknown, assuming iptables/i,
    what: 'kube-proxy’s log, in which it does not get IPVS mode',
    instead:
      'load ip_vs, ip_vs_rr, ip_vs_wrr, ip_vs_sh and nf_conntrack with modprobe, install ipset and restart kube-proxy',
  },
  {
    pattern: /nf_conntrack: table full, dropping packet/,
    what: 'the kernel’s log, in which the table of connections is full and new ones are dropped',
    instead: 'raise net.netfilter.nf_conntrack_max, and add what iptables-save prints',
  },
  {
    pattern: /^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+\s+\d+ \S+\.go:\d+\]/m,
    what: 'a log of a Kubernetes program',
    instead: `run ${rules}`,
  },
  {
    pattern: /^\{"ts":[\d.]+,.*"(?:msg|caller)":/m,
    what: 'a log of a Kubernetes program, in JSON',
    instead: `run ${rules}`,
  },
  {
    pattern: /^trace id [0-9a-f]+ /m,
    what: 'what nft monitor trace prints',
    instead: 'run k8snet trace --events with this file and the dump of the node',
  },
  {
    pattern: /\bTRACE: \w+:[\w-]+:(?:rule|return|policy):\d+ /,
    what: 'the kernel’s log of the iptables target TRACE',
    instead:
      'it names rules by chain and number, so add what iptables-save prints; k8snet trace shows what its rules do with such a packet',
  },
  {
    pattern: /^ID\s+Frontend\s+Service Type\s/m,
    what: 'a list of Cilium, which answers for Services in place of kube-proxy',
    instead: `see whether kube-proxy runs beside it (cilium status | grep KubeProxyReplacement); if it does, run ${rules}`,
  },
  {
    pattern: /^\s*Load Balancer\s+\|\s+Virtual IPs|^ActivityId\s+:|hnsdiag|Get-Hns(?:PolicyList|Endpoint|Network)/m,
    what: 'a list of Windows (HNS), where kube-proxy writes no rules of netfilter',
    instead: `run ${rules}: k8snet reads nodes with Linux`,
  },
  {
    pattern: /^\d\d:\d\d:\d\d\.\d+ (?:\S+ +(?:In|Out|P|M|B) +)?IP6? \S+ > /m,
    what: 'packets, as tcpdump prints them',
    instead: `run ${rules}; k8snet trace shows what its rules do with such a packet`,
  },
  {
    pattern: /^IPVS connection entries/m,
    what: 'connections of IPVS (ipvsadm -Lnc)',
    instead: 'run ipvsadm -Sn as root on the node, which prints its virtual servers',
  },
  {
    pattern: /^\s*(?:TCP|UDP|SCTP) +\S*[a-z]\S*:\S+ +(?:w?rr|w?lc|sh|dh|sed|nq|mh)\b/m,
    what: 'virtual servers by name (ipvsadm -L without -n)',
    instead: 'run ipvsadm -Sn as root on the node, which prints addresses and ports',
  },
  {
    pattern: /Permission denied|you must be root|Operation not permitted/i,
    what: 'a refusal: the program did not run as root',
    instead: `run ${rules}`,
  },
  {
    pattern: /command not found|: not found$|No such file or directory/m,
    what: 'the message of a shell that did not find the program',
    instead: `run ${rules}`,
  },
  {
    pattern: /^\s*(?:apiVersion:|kind: [A-Z]|\{\s*"(?:apiVersion|kind|items)")/m,
    what: 'Kubernetes objects',
    instead: 'pass them to k8snet diff with -f, and the output of iptables-save as the dump',
  },
  {
    pattern: /^NAME(?:SPACE)?\s+\S|^(?:NAMESPACE\s+)?NAME\s+(?:TYPE|READY|STATUS|ENDPOINTS)\s/m,
    what: 'a table of kubectl get',
    instead: `run ${rules}; for -f use kubectl get services,endpointslices,nodes -A -o yaml`,
  },
  {
    pattern: /^(?:Kernel IP(?:v6)? routing table|Destination\s+Gateway\s+Genmask)/m,
    what: 'the table of route -n',
    instead: 'it tells where packets go from the node: add what iptables-save prints',
  },
  {
    pattern: /^\s*(?:ipv[46] +\d+ )?(?:udp|tcp|sctp|icmp) +\d+ \d+ .*\bsrc=\S+ dst=/m,
    what: 'connections, as conntrack -L lists them',
    instead:
      'which of them are stuck shows beside the rules: add what iptables-save prints, and pass this with --conntrack',
  },
  {
    pattern: /^\s*\[(?:NEW|UPDATE|DESTROY)\] +(?:tcp|udp|sctp|icmp) /m,
    what: 'events, as conntrack -E lists them',
    instead: 'add what iptables-save prints, and what conntrack -L prints now',
  },
  {
    pattern: /^(?:Active Internet connections|Netid\s+State|State\s+Recv-Q|Proto\s+Recv-Q)/m,
    what: 'a list of sockets (ss, netstat)',
    instead: `run ${rules}`,
  },
  { pattern: /^Status: (?:in)?active/m, what: 'the state of ufw', instead: `run ${rules}` },
  {
    pattern: /^Module\s+Size\s+Used by/m,
    what: 'the list of lsmod',
    instead: 'it tells which modules are loaded: add what iptables-save prints',
  },
  {
    pattern: /^\s*(?:type \S+ hook|elements = \{|ip6? [sd]addr |meta l4proto |(?:jump|goto) [a-z])/m,
    what: 'nft text without its table and chain lines',
    instead: 'give all that nft list ruleset prints',
  },
  {
    pattern: /^Chain \S+ \((?:policy |\d+ references)/m,
    what: 'what iptables -L prints',
    instead: 'it leaves out parts of rules: give what iptables-save prints',
  },
  {
    pattern: /^IP Virtual Server version /m,
    what: 'what ipvsadm -L prints',
    instead: 'add what iptables-save and ipset save print',
  },
  {
    pattern: /\s(?:anywhere|0\.0\.0\.0\/0)\s/,
    what: 'rows of iptables -L without their chain lines',
    instead: 'give all that iptables-save prints; iptables -L leaves out parts of rules',
  },
  {
    pattern: /^\s*(?:->\s|\S+:\S+\s+(?:Masq|Route|Tunnel)\s)/m,
    what: 'servers of ipvsadm -L without their services',
    instead: 'give all that ipvsadm -Sn prints',
  },
  { pattern: /\u0000/, what: 'binary data', instead: `run ${rules}, or give a .gz or .tar.gz of its output` },
];
