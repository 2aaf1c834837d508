import { canonicalIp } from '../../common/addresses/ip.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';

/** What a kube-proxy log shows; after several starts the last one counts. */
export interface ProxyLog {
  /** The mode that it runs in. */
  readonly mode?: ProxyMode;
  /** Why that differs from the requested mode: none was requested, or kube-proxy could not use it. */
  readonly fallback?: 'none-given' | 'unusable';
  /** IPVS mode with no scheduler named. */
  readonly hasDefaultScheduler?: true;
  /** The node's own, one a family. */
  readonly nodeIPs: readonly string[];
  /** `v1.20.0`. */
  readonly version?: string;
}

/**
 * Reads what kube-proxy reports when it starts, in the words of all versions, plain or as key and value. Undefined: the
 * text has no such lines.
 */
export function readProxyLog(text: string): ProxyLog | undefined {
  if (!logLine.test(text)) return undefined;
  let seen: { -readonly [K in keyof ProxyLog]?: ProxyLog[K] } = {};
  let nodeIPs: readonly string[] = [];
  let hasMode = false;
  for (const line of text.split('\n')) {
    const start = logLine.exec(line);
    const message = start === null ? undefined : line.slice(start.index + start[0].length).trim();
    if (message === undefined) continue;
    const ips = addressesOf(message);
    const version = /^"?Version(?: info")?:? (?:.*\bversion=")?(v1\.\d+[^"\s]*)/.exec(message)?.[1];
    const mode = /^"?Using (iptables|ipvs|nftables|userspace) [Pp]rox(?:ier|y)\b/.exec(message)?.[1] as
      | ProxyMode
      | undefined;
    // A start tells the mode after all else but the version, which comes first or last.
    const isNewStart = hasMode && ips.length > 0;
    if (isNewStart) {
      seen = {};
      hasMode = false;
    }
    if (ips.length > 0) nodeIPs = ips;
    if (version !== undefined) seen.version = version;
    if (/\b[Uu]nknown proxy mode|[Ff]lag proxy-mode=.* unknown/.test(message)) {
      seen.fallback = /(?:mode |mode=|proxyMode=)""/.test(message) ? 'none-given' : 'unusable';
    }
    if (/[Cc]an't use (?:the )?(?:ipvs|IPVS) proxier|[Ff]alling back to iptables/.test(message))
      seen.fallback = 'unusable';
    if (/IPVS scheduler not specified/.test(message)) seen.hasDefaultScheduler = true;
    if (mode !== undefined) {
      seen.mode = mode;
      hasMode = true;
    }
  }
  return Object.keys(seen).length === 0 && nodeIPs.length === 0 ? undefined : { ...seen, nodeIPs };
}

/** `I0323 03:36:31.452070       1 node.go:172] `, behind whatever a collector of logs put before it. */
const logLine = /(?:^|[\s"])[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w./-]+\.go:\d+\] /m;

/** `Successfully retrieved node IP: 10.0.0.1`, `… node IP(s)" IPs=["10.0.0.1"]`, `"Detected node IP" address="10.0.0.1"`. */
function addressesOf(message: string): readonly string[] {
  const list = /^"?(?:Successfully retrieved|Detected) node IP(?:\(s\))?"?:? ?(?:IPs=|address=)?(.*)$/.exec(
    message,
  )?.[1];
  return (list ?? '').split(/[\s,"[\]]+/).flatMap((word) => canonicalIp(word) ?? []);
}
