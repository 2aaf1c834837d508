import { parseCidr } from '../common/addresses/cidr.ts';
import { canonicalIp } from '../common/addresses/ip.ts';
import { parsePortRange } from '../common/addresses/portRange.ts';
import { defaultMode, type ProxyMode, proxyModeOf } from '../common/proxy/proxyMode.ts';
import { parseGoDuration } from '../common/text/goDuration.ts';
import type { DetectLocal, ProxyConfig } from '../model/proxyConfig.ts';
import type { KubeProxyConfigurationObject } from '../validate/kinds/kubeProxyConfigurationObject.ts';
import type { TargetOptions } from './targetOptions.ts';

/**
 * kube-proxy's settings: flags, then the KubeProxyConfiguration, then kube-proxy 1.30's own defaults. Both were checked
 * before.
 */
export function resolveConfig(config: KubeProxyConfigurationObject, options: TargetOptions): ProxyConfig {
  const { conntrack, iptables, ipvs, nftables } = config;
  const mode: ProxyMode = options.mode ?? proxyModeOf(config.mode) ?? defaultMode;
  // The iptables flags are also those of IPVS mode; nftables mode has settings of its own, and the same flags.
  const masqueradeAll = options.masqueradeAll;
  const masqueradeBit = options.masqueradeBit;
  return {
    mode,
    clusterCIDRs: cidrs(options.clusterCIDR ?? config.clusterCIDR ?? ''),
    detectLocal: detectLocal(config, options),
    iptables: {
      masqueradeAll: masqueradeAll ?? iptables?.masqueradeAll ?? false,
      masqueradeBit: masqueradeBit ?? iptables?.masqueradeBit ?? 14,
      localhostNodePorts: options.localhostNodePorts ?? iptables?.localhostNodePorts ?? true,
    },
    nftables: {
      masqueradeAll: masqueradeAll ?? nftables?.masqueradeAll ?? false,
      masqueradeBit: masqueradeBit ?? nftables?.masqueradeBit ?? 14,
    },
    ipvs: {
      scheduler: options.ipvsScheduler ?? (ipvs?.scheduler || 'rr'),
      strictARP: options.ipvsStrictArp ?? ipvs?.strictARP ?? false,
      excludeCIDRs: options.ipvsExcludeCIDRs ?? ipvs?.excludeCIDRs ?? [],
      tcpTimeout: seconds(ipvs?.tcpTimeout, 0),
      tcpFinTimeout: seconds(ipvs?.tcpFinTimeout, 0),
      udpTimeout: seconds(ipvs?.udpTimeout, 0),
    },
    userspace: {
      bindAddress: canonicalIp(options.bindAddress ?? config.bindAddress ?? '') ?? '',
      proxyPorts: parsePortRange(options.proxyPortRange ?? config.portRange ?? '') ?? anyPort,
    },
    nodePortAddresses: (options.nodePortAddresses ?? config.nodePortAddresses ?? []).map((text) => text.trim()),
    featureGates: config.featureGates ?? {},
    conntrack: {
      maxPerCore: conntrack?.maxPerCore ?? 32_768,
      min: conntrack?.min ?? 131_072,
      tcpEstablishedTimeout: duration(conntrack?.tcpEstablishedTimeout, 86_400),
      tcpCloseWaitTimeout: duration(conntrack?.tcpCloseWaitTimeout, 3_600),
      tcpBeLiberal: conntrack?.tcpBeLiberal ?? false,
      udpTimeout: duration(conntrack?.udpTimeout, 0),
      udpStreamTimeout: duration(conntrack?.udpStreamTimeout, 0),
    },
  };
}

/** Linux chooses from these by default. */
const anyPort = { first: 32_768, last: 60_999 };

/** As they are written, in order. */
function cidrs(list: string): readonly string[] {
  return list
    .split(',')
    .map((text) => text.trim())
    .filter((text) => parseCidr(text) !== undefined);
}

function detectLocal(config: KubeProxyConfigurationObject, options: TargetOptions): DetectLocal {
  const asked = options.detectLocalMode ?? config.detectLocalMode;
  switch (asked) {
    case 'NodeCIDR':
      return { kind: 'nodeCIDR' };
    case 'BridgeInterface':
      return {
        kind: 'bridgeInterface',
        name: options.bridgeInterface ?? config.detectLocal?.bridgeInterface ?? '',
      };
    case 'InterfaceNamePrefix':
      return {
        kind: 'interfaceNamePrefix',
        prefix: options.interfaceNamePrefix ?? config.detectLocal?.interfaceNamePrefix ?? '',
      };
    default:
      return { kind: 'clusterCIDR' };
  }
}

/** Whole seconds of a Go duration. */
function seconds(text: string | null | undefined, absent: number): number {
  return Math.floor(duration(text, absent));
}

/** Seconds, perhaps with a fraction. */
function duration(text: string | null | undefined, absent: number): number {
  return text ? (parseGoDuration(text) ?? absent) : absent;
}
