import { parseCidr } from '../common/addresses/cidr.ts';
import { defaultMode, type ProxyMode } from '../common/proxy/proxyMode.ts';
import { parseGoDuration } from '../common/text/goDuration.ts';
import { isNodePortWord } from '../common/text/nodePortWord.ts';
import type { JsonPath } from '../diagnostics/diagnostic.ts';
import { checkAddress, checkNetwork } from './fields/addresses.ts';
import { checkHostPort } from './fields/checkHostPort.ts';
import type { Complain } from './fields/complain.ts';
import { quote } from './fields/quote.ts';
import type { KubeProxyConfigurationObject } from './kinds/kubeProxyConfigurationObject.ts';
import type { Manifest } from './kinds/manifest.ts';
import type { ReadingProxy } from './readingProxy.ts';

type Config = Manifest<KubeProxyConfigurationObject>;

/**
 * The values of a KubeProxyConfiguration, after kube-proxy's defaults. Every duration is read, in whatever part it stands, and
 * the mark of iptables mode; apart from that, parts of another mode are not looked at (seen with kube-proxy 1.33, 1.36 and
 * 1.37).
 */
export function checkProxyConfiguration(config: Config, proxy: ReadingProxy, complain: Complain): void {
  const { value } = config;
  const effectiveMode = proxy.mode ?? (value.mode || defaultMode);
  if (value.bindAddress) checkAddress(config, ['bindAddress'], value.bindAddress, complain);
  checkHostPort(config, ['healthzBindAddress'], value.healthzBindAddress, complain);
  checkHostPort(config, ['metricsBindAddress'], value.metricsBindAddress, complain);
  checkClusterCidr(config, complain);
  checkDetectLocal(config, complain);
  checkNodePortAddresses(config, proxy, complain);
  checkDurations(config, complain);
  for (const path of positive) checkNotNegative(config, path, complain);
  checkOfMode[effectiveMode](config, complain);
}

type Check = (config: Config, complain: Complain) => void;

const checkOfMode: Readonly<Record<ProxyMode, Check>> = {
  iptables: (config, complain) => {
    checkSyncPeriods(config, 'iptables', '1s', complain);
    checkMasqueradeBit(config, 'iptables', complain);
  },
  ipvs: (config, complain) => {
    checkIpvs(config, complain);
    checkMasqueradeBit(config, 'iptables', complain);
  },
  nftables: (config, complain) => {
    checkSyncPeriods(config, 'nftables', '1s', complain);
    checkMasqueradeBit(config, 'iptables', complain);
    checkMasqueradeBit(config, 'nftables', complain);
  },
  // Nobody has seen what it refuses.
  userspace: () => {},
};

function checkMasqueradeBit(config: Config, part: 'iptables' | 'nftables', complain: Complain): void {
  const bit = config.value[part]?.masqueradeBit;
  if (bit === undefined || bit === null || (bit >= 0 && bit <= 31)) return;
  complain(config, {
    code: 'out-of-range',
    path: [part, 'masqueradeBit'],
    message: 'must be within the range [0, 31]',
  });
}

/** Durations for which absence and null are the same: kube-proxy reads null as an empty text. */
const durations: readonly JsonPath[] = [
  ['configSyncPeriod'],
  ['conntrack', 'udpTimeout'],
  ['conntrack', 'udpStreamTimeout'],
  ...(['iptables', 'ipvs', 'nftables'] as const).flatMap((part) => [
    [part, 'syncPeriod'],
    [part, 'minSyncPeriod'],
  ]),
  ['ipvs', 'tcpTimeout'],
  ['ipvs', 'tcpFinTimeout'],
  ['ipvs', 'udpTimeout'],
];

const optionalDurations: readonly JsonPath[] = [
  ['conntrack', 'tcpEstablishedTimeout'],
  ['conntrack', 'tcpCloseWaitTimeout'],
];

function checkDurations(config: Config, complain: Complain): void {
  for (const path of [...durations, ...optionalDurations]) {
    const text = valueAt(config, path);
    if (text === undefined || (text === null && optionalDurations.includes(path))) continue;
    if (typeof text === 'string' && parseGoDuration(text) !== undefined) continue;
    complain(config, { code: 'bad-duration', path, message: `${quote(text)} is not a duration such as 30s or 1m30s` });
  }
}

/** Durations that no mode takes below zero. */
const positive: readonly JsonPath[] = [
  ['configSyncPeriod'],
  ['conntrack', 'tcpEstablishedTimeout'],
  ['conntrack', 'tcpCloseWaitTimeout'],
  ['conntrack', 'udpTimeout'],
  ['conntrack', 'udpStreamTimeout'],
];

/** Values that are not durations were reported before. */
function checkNotNegative(config: Config, path: JsonPath, complain: Complain): void {
  const text = valueAt(config, path);
  const seconds = typeof text === 'string' ? parseGoDuration(text) : undefined;
  if (seconds !== undefined && seconds < 0)
    complain(config, { code: 'bad-duration', path, message: 'must not be negative' });
}

function valueAt({ value }: Config, path: JsonPath): unknown {
  let at: unknown = value;
  for (const key of path) at = (at as Record<string | number, unknown> | null | undefined)?.[key];
  return at;
}

function checkClusterCidr(config: Config, complain: Complain): void {
  const text = config.value.clusterCIDR ?? '';
  if (text === '') return;
  const path = ['clusterCIDR'];
  const parts = text.split(',');
  if (parts.length === 1) {
    checkNetwork(config, path, text, complain);
    return;
  }
  const [first, second] = parts.map((part) => parseCidr(part));
  if (parts.length === 2 && first && second && first.family !== second.family) return;
  complain(config, {
    code: 'bad-network',
    path,
    message: `${quote(text)} is neither one network nor one of each IP family, as 10.244.0.0/16,fd00::/48`,
  });
}

function checkDetectLocal(config: Config, complain: Complain): void {
  const { detectLocal, detectLocalMode } = config.value;
  for (const [field, mode] of interfaceFields) {
    const name = detectLocal?.[field] ?? '';
    const path = ['detectLocal', field];
    if (name === '' && detectLocalMode === mode) {
      complain(config, { code: 'missing-field', path, message: `is required with detectLocalMode ${mode}` });
    }
    const problem = name === '' ? undefined : interfaceNameProblem(name);
    if (problem !== undefined) {
      complain(config, { code: 'bad-interface-name', path, message: `${quote(name)} ${problem}` });
    } else if (new TextEncoder().encode(name).length > 15) {
      const message = `${quote(name)} has more than 15 bytes: kube-proxy takes it, and no interface has such a name`;
      complain(config, { code: 'bad-interface-name', severity: 'warning', path, message });
    }
  }
}

const interfaceFields = [
  ['bridgeInterface', 'BridgeInterface'],
  ['interfaceNamePrefix', 'InterfaceNamePrefix'],
] as const;

/**
 * What keeps a text from being the name of a network interface (or the start of one), or undefined. kube-proxy looks at
 * none of it; the kernel does (dev_valid_name), and the name goes into rules.
 */
function interfaceNameProblem(name: string): string | undefined {
  if (/[\s/:\0-\x1f\x7f]/.test(name))
    return 'is not an interface name: it has a blank, "/", ":" or a control character';
  // iptables reads a final "+" as "anything from here on", nft takes quotes and stars.
  if (/["'`$;*+\\{}!#]/.test(name)) return 'is not an interface name that can be written into a rule';
  return name === '.' || name === '..' ? 'is not an interface name' : undefined;
}

function checkNodePortAddresses(config: Config, { nodePortWords }: ReadingProxy, complain: Complain): void {
  const all = config.value.nodePortAddresses ?? [];
  for (const [index, text] of all.entries()) {
    const path = ['nodePortAddresses', index];
    if (nodePortWords === 'any' && isNodePortWord(text)) continue;
    if (text !== 'primary') {
      checkNetwork(config, path, text, complain);
    } else if (nodePortWords === 'none') {
      complain(config, {
        code: 'bad-network',
        path,
        message: '"primary" is not a network in CIDR form; kube-proxy takes it since 1.31',
        hint: 'leave nodePortAddresses out for the default of the mode, or give the networks of the primary addresses',
      });
    } else if (all.length > 1) {
      complain(config, { code: 'bad-network', path, message: '"primary" stands alone, without networks beside it' });
    }
  }
}

function checkIpvs(config: Config, complain: Complain): void {
  const { ipvs } = config.value;
  for (const [index, text] of (ipvs?.excludeCIDRs ?? []).entries()) {
    checkNetwork(config, ['ipvs', 'excludeCIDRs', index], text, complain);
  }
  const scheduler = ipvs?.scheduler;
  if (scheduler && !schedulers.includes(scheduler)) {
    complain(config, {
      code: 'unsupported-value',
      path: ['ipvs', 'scheduler'],
      message: `${quote(scheduler)} is not a scheduler: ${schedulers.join(', ')}`,
    });
  }
  checkSyncPeriods(config, 'ipvs', '0s', complain);
  for (const field of ['tcpTimeout', 'tcpFinTimeout', 'udpTimeout'])
    checkNotNegative(config, ['ipvs', field], complain);
}

const schedulers: readonly string[] = 'rr wrr lc wlc lblc lblcr sh dh sed nq mh fo ovf'.split(' ');

/** `shortest` is what kube-proxy takes for a minSyncPeriod that is not given or zero. */
function checkSyncPeriods(
  config: Config,
  mode: 'iptables' | 'ipvs' | 'nftables',
  shortest: '0s' | '1s',
  complain: Complain,
): void {
  const given = config.value[mode];
  const paths: readonly JsonPath[] = [
    [mode, 'syncPeriod'],
    [mode, 'minSyncPeriod'],
  ];
  for (const path of paths) checkNotNegative(config, path, complain);
  const [period, minimum] = [given?.syncPeriod, given?.minSyncPeriod].map((text) => parseGoDuration(text || '0s'));
  if (period === undefined || minimum === undefined || period < 0 || minimum < 0) return;
  // Zero is defaulted as if nothing was given: 30 seconds.
  if ((minimum || parseGoDuration(shortest) || 0) <= (period || 30)) return;
  complain(config, {
    code: 'fields-disagree',
    path: [mode, 'syncPeriod'],
    message: `must be at least minSyncPeriod, ${given?.minSyncPeriod || shortest}`,
  });
}
