/** How lines of facts other than rules begin: this distinguishes the facts from each other, and from rules. */
export const lineStarts = {
  /** `ipv4     2 udp      17 29 src=… dst=…` of conntrack and of /proc/net/nf_conntrack, or a message of conntrack. */
  conntrack: /^conntrack v[\w.]+ \(conntrack-tools\)|^(?:ipv[46] +\d+ +)?[a-z][\w-]* +\d{1,3} .*src=\S+ dst=\S/m,
  /** Unlike `ip link`, `bridge link` says how a port forwards, and does not mention its queue. */
  bridge: /^\d+: [^\s:]+: <[^>\n]*> mtu \d+ master \S+ state [a-z]/m,
  /**
   * `local 10.96.0.10 dev …`, `default via …`, `unicast 10.244.0.0/24 dev …` of `ip route`; headings and rows of `route -n`.
   */
  routes:
    /^(?:(?:unicast|local|broadcast|anycast|multicast|unreachable|blackhole|prohibit|throw) )?(?:default|[0-9a-f.:]{2,43}(?:\/\d{1,3})?) (?:via|dev|proto) \S|^Kernel IP(?:v6)? routing table|^Destination +(?:Gateway +Genmask|Next Hop) |^(?:default|\d+\.\d+\.\d+\.\d+) +(?:[\d.]{7,15}|\*|-) +\d+\.\d+\.\d+\.\d+ +[!U][A-Za-z]* /m,
  /** `2: eth0: <…> mtu 1500 qdisc …` of `ip addr`, `eth0@if4  UP  10.0.0.1/24` of `ip -br addr`, and heads of ifconfig. */
  addresses:
    /^\d+: [^\s:]+: <[^>\n]*> mtu \d+ qdisc |^[a-zA-Z][\w.:-]*(?:: flags=\d|\s+Link encap:)|^[a-zA-Z][\w.@-]* +(?:UNKNOWN|UP|DOWN|LOWERLAYERDOWN|DORMANT) +[0-9a-f.:]+\/\d/m,
  /** `net.ipv4.ip_forward = 1`, and what sysctl says about names that it does not find. */
  sysctl: /^-?net[./][\w./-]+ ?= ?-?\d|^sysctl: (?:cannot stat \/proc\/sys\/net\/|error: 'net\.)/m,
  /** The heading of lsmod, and rows of modules that concern kube-proxy, as a search finds them. */
  modules:
    /^Module +Size +Used by|^(?:ip_vs\w*|nf_conntrack\w*|br_netfilter|nf_nat\w*|xt_\w+|ip_set\w*|ip6?table_\w+|ip6?_tables|nf_tables) +\d{3,9} +\d+(?: |$)/m,
  /** `32766:	from all lookup main` of `ip rule`. */
  rules: /^\d+:\s+(?:not )?from \S+ /m,
  /** The answer of kube-proxy's /healthz. */
  healthz: /^\{"lastUpdated": ?"/m,
  /** A line of kube-proxy's /metrics. */
  metrics: /^(?:# (?:HELP|TYPE) )?kubeproxy_[a-z_]+[ {]/m,
  /** A line of /proc/net/xt_recent. */
  recent: /^src=\S+ ttl: \d+ last_seen: \d+ /m,
} as const;
