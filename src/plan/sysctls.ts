import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { ConntrackConfig } from '../model/proxyConfig.ts';

/** One kernel setting by its full name: `net.ipv4.ip_forward`. */
export interface Sysctl {
  readonly name: string;
  readonly value: string;
}

/**
 * The conntrack settings that kube-proxy makes before any proxier starts, in its order, on a host that has none of them
 * yet. A limit of 0 keeps the kernel's own; a time-out of less than a second is set, to 0.
 */
export function conntrackSysctls(
  config: ConntrackConfig,
  cpus: number,
  { capsConntrack }: Pick<PlanDialect, 'capsConntrack'>,
): readonly Sysctl[] {
  const wanted = config.maxPerCore > 0 ? Math.max(config.maxPerCore * cpus, config.min) : 0;
  const max = capsConntrack ? Math.min(wanted, mostConnections) : wanted;
  const candidates: readonly (readonly [string, number])[] = [
    ['nf_conntrack_max', max],
    ['nf_conntrack_tcp_timeout_established', config.tcpEstablishedTimeout],
    ['nf_conntrack_tcp_timeout_close_wait', config.tcpCloseWaitTimeout],
    ['nf_conntrack_tcp_be_liberal', config.tcpBeLiberal ? 1 : 0],
    ['nf_conntrack_udp_timeout', config.udpTimeout],
    ['nf_conntrack_udp_timeout_stream', config.udpStreamTimeout],
  ];
  return candidates
    .filter(([, value]) => value > 0)
    .map(([name, value]) => ({ name: `net.netfilter.${name}`, value: String(Math.floor(value)) }));
}

/** kube-proxy's own limit since 1.36. */
const mostConnections = 1_048_576;

/** `sysctl.conf` as `sysctl -p` reads it. */
export function printSysctls(sysctls: readonly Sysctl[]): string {
  return sysctls.map(({ name, value }) => `${name} = ${value}\n`).join('');
}
