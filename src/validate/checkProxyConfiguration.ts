import { parseCidr } from '../common/cidr.ts';
import { parseGoDuration } from '../common/goDuration.ts';
import { isNodePortWord } from '../common/nodePortWord.ts';
import type { JsonPath } from '../diagnostics/diagnostic.ts';
import { checkAddress, checkNetwork } from './addresses.ts';
import { checkHostPort } from './checkHostPort.ts';
import type { Complain } from './complain.ts';
import type { KubeProxyConfigurationObject } from './kubeProxyConfigurationObject.ts';
import type { Manifest } from './manifests.ts';
import { quote } from './quote.ts';
import type { ReadingProxy } from './readingProxy.ts';

type Config = Manifest<KubeProxyConfigurationObject>;

/** The values of a KubeProxyConfiguration, after kube-proxy's defaults; parts of another mode are not looked at. */
export function checkProxyConfiguration(config: Config, proxy: ReadingProxy, complain: Complain): void {
  const { value } = config;
  const effectiveMode = proxy.mode ?? (value.mode || 'iptables');
  if (value.bindAddress) checkAddress(config, ['bindAddress'], value.bindAddress, complain);
  checkHostPort(config, ['healthzBindAddress'], value.healthzBindAddress, complain);
  checkHostPort(config, ['metricsBindAddress'], value.metricsBindAddress, complain);
  checkClusterCidr(config, complain);
  checkDetectLocal(config, complain);
  checkNodePortAddresses(config, proxy, complain);
  checkDuration(config, ['configSyncPeriod'], value.configSyncPeriod, complain);
  checkSyncPeriods(config, 'iptables', '1s', complain);
  if (effectiveMode === 'nftables') checkSyncPeriods(config, 'nftables', '1s', complain);
  if (effectiveMode === 'ipvs') checkIpvs(config, complain);
  for (const field of conntrackTimeouts) {
    checkDuration(config, ['conntrack', field], value.conntrack?.[field], complain);
  }
}

const conntrackTimeouts = ['tcpEstablishedTimeout', 'tcpCloseWaitTimeout', 'udpTimeout', 'udpStreamTimeout'] as const;

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
  if (Buffer.byteLength(name) > 15) return 'is not an interface name: it has more than 15 bytes';
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
  checkSyncPeriods(config, 'ipvs', '0s', complain);
  for (const field of ['tcpTimeout', 'tcpFinTimeout', 'udpTimeout'] as const) {
    checkDuration(config, ['ipvs', field], ipvs?.[field], complain);
  }
}

/** `shortest` is what kube-proxy takes for a minSyncPeriod that is not given or zero. */
function checkSyncPeriods(
  config: Config,
  mode: 'iptables' | 'ipvs' | 'nftables',
  shortest: '0s' | '1s',
  complain: Complain,
): void {
  const given = config.value[mode];
  const period = checkDuration(config, [mode, 'syncPeriod'], given?.syncPeriod, complain);
  const minimum = checkDuration(config, [mode, 'minSyncPeriod'], given?.minSyncPeriod, complain);
  if (period === undefined || minimum === undefined) return;
  // Zero is defaulted as if nothing was given: 30 seconds.
  if ((minimum || parseGoDuration(shortest) || 0) <= (period || 30)) return;
  complain(config, {
    code: 'fields-disagree',
    path: [mode, 'syncPeriod'],
    message: `must be at least minSyncPeriod, ${given?.minSyncPeriod || shortest}`,
  });
}

/** Seconds, 0 where nothing is given; undefined where it cannot be used. */
function checkDuration(
  config: Config,
  path: JsonPath,
  text: string | null | undefined,
  complain: Complain,
): number | undefined {
  if (!text) return 0;
  const seconds = parseGoDuration(text);
  if (seconds !== undefined && seconds >= 0) return seconds;
  const message =
    seconds === undefined ? `${quote(text)} is not a duration such as 30s or 1m30s` : 'must not be negative';
  complain(config, { code: 'bad-duration', path, message });
  return undefined;
}
