/** How lines begin by which the facts beside rules are told from each other, and from rules. */
export const lineStarts = {
  /** `ipv4     2 udp      17 29 src=… dst=…` of conntrack and of /proc/net/nf_conntrack, or what conntrack says of them. */
  conntrack: /^conntrack v[\w.]+ \(conntrack-tools\)|^(?:ipv[46] +\d+ +)?[a-z][\w-]* +\d{1,3} .*src=\S+ dst=\S/m,
  /** `bridge link` says how a port forwards and nothing of its queue, other than `ip link`. */
  bridge: /^\d+: [^\s:]+: <[^>\n]*> mtu \d+ master \S+ state [a-z]/m,
  /** `local 10.96.0.10 dev …`, `default via …`, `unicast 10.244.0.0/24 dev …` of `ip route`. */
  routes:
    /^(?:(?:unicast|local|broadcast|anycast|multicast) )?(?:default|[0-9a-f.:]{2,43}(?:\/\d{1,3})?) (?:via|dev) \S/m,
  /** `2: eth0: <…> mtu 1500 qdisc …` of `ip addr`. */
  addresses: /^\d+: [^\s:]+: <[^>\n]*> mtu \d+ qdisc |^[a-zA-Z][\w.-]*(?:: flags=\d|\s+Link encap:)/m,
  /** `net.ipv4.ip_forward = 1`. */
  sysctl: /^net[./][\w./-]+ ?= ?-?\d/m,
  /** `32766:	from all lookup main` of `ip rule`. */
  rules: /^\d+:\s+(?:not )?from \S+ /m,
  /** Of /proc/net/xt_recent. */
  recent: /^src=\S+ ttl: \d+ last_seen: \d+ /m,
} as const;
