import { lineStarts } from './lineStarts.ts';

/** Which program printed a text. */
export type DumpKind =
  | 'iptables'
  | 'nft'
  | 'nftJson'
  /** Commands for `nft -f`, as kube-proxy writes them. */
  | 'nftTransaction'
  | 'ipset'
  | 'ipvs'
  | 'addresses'
  | 'conntrack'
  | 'routes'
  | 'bridge'
  /** `net.ipv4.ip_forward = 1`, as sysctl prints them. */
  | 'sysctl'
  /** `ip rule`. */
  | 'rules'
  /** A k8snet.facts/v1 document. */
  | 'facts'
  /** A list of /proc/net/xt_recent. */
  | 'recent'
  /** `lsmod`, /proc/modules. */
  | 'modules'
  /** kube-proxy's answers at /proxyMode, /healthz and /metrics. */
  | 'proxyMode'
  | 'healthz'
  | 'metrics';

/** Recognizes a text by the first lines with a known form. */
export function dumpKind(text: string): DumpKind {
  const start = text.slice(0, lookAhead);
  if (/^\s*\{\s*"nftables"/.test(start)) return 'nftJson';
  if (/^\s*\{[^{[]*"k8snet\.facts\/v1"/.test(start)) return 'facts';
  if (lineStarts.healthz.test(start)) return 'healthz';
  if (nftCommand.test(start)) return 'nftTransaction';
  const nft = start.search(/^[ \t]*(?:table (?:ip|ip6|inet|arp|bridge|netdev) \S+|(?:chain|set|map) \S+) \{/m);
  const iptables = start.search(/^(?:\[\d+:\d+\] )?-[AINP] (?!-)|^\*[a-z]+\s*$|^Chain +\S+ +\(/m);
  if (nft !== -1 && (iptables === -1 || nft < iptables)) return 'nft';
  if (
    /^[ \t]*(?:-A (?:-[tuf]|--(?:tcp|udp|sctp|fwmark)-service) |IP Virtual Server |Prot LocalAddress:Port |--set \d+ \d+ \d+\s*$)/m.test(
      start,
    ) ||
    listedServer.test(start)
  )
    return 'ipvs';
  if (iptables !== -1) return 'iptables';
  if (/^(?:create|add) \S+ \S+|^Name: \S+\s*\nType: /m.test(start)) return 'ipset';
  if (lineStarts.sysctl.test(start)) return 'sysctl';
  if (lineStarts.modules.test(start)) return 'modules';
  if (lineStarts.rules.test(start)) return 'rules';
  if (lineStarts.metrics.test(start)) return 'metrics';
  if (lineStarts.recent.test(start)) return 'recent';
  if (lineStarts.conntrack.test(start)) return 'conntrack';
  if (lineStarts.bridge.test(start)) return 'bridge';
  if (lineStarts.routes.test(start)) return 'routes';
  if (lineStarts.addresses.test(start)) return 'addresses';
  if (/kube-ipvs0|^(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?:\/\d+)?\s*$|^[0-9a-f:]*:[0-9a-f:]+(?:\/\d+)?\s*$/m.test(start)) {
    return 'addresses';
  }
  return 'iptables';
}

/** A line of `ipvsadm -Ln`, without its headings. */
const listedServer = /^[ \t]*(?:TCP|UDP|SCTP|FWM) +\S+ +(?:IPv6 +)?(?:w?rr|w?lc|lblcr?|sh|dh|sed|nq|fo|ovf|mh|twos)\b/m;

const nftCommand = /^(?:add|create|destroy|delete|flush) (?:table|chain|rule|set|map|element) (?:ip|ip6|inet) \S+/m;

/** A paste may begin with prose. */
const lookAhead = 1 << 16;
