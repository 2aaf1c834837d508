import { parseCidr } from '../common/addresses/cidr.ts';
import { canonicalIp } from '../common/addresses/ip.ts';
import { proxyModes } from '../common/proxy/proxyMode.ts';
import { isNodePortWord } from '../common/text/nodePortWord.ts';
import type { CompileOptions } from '../public/core.ts';
import type { SettingName, Settings } from './pageInput.ts';

/** Settings as the compiler takes them, and what is wrong with those that cannot be read. */
export interface Target {
  readonly options: CompileOptions;
  readonly problems: readonly { readonly setting: SettingName; readonly message: string }[];
}

/** Settings that cannot be read are left out, and named. */
export function targetOf(settings: Settings): Target {
  const problems: Target['problems'][number][] = [];
  const read = <T>(setting: SettingName, parse: (text: string) => T | undefined, wanted: string): T | undefined => {
    const text = settings[setting]?.trim();
    if (text === undefined || text === '') return undefined;
    const value = parse(text);
    if (value === undefined) problems.push({ setting, message: `${text}: ${wanted}` });
    return value;
  };
  const given = {
    mode: read('mode', oneOf(proxyModes), 'a mode is iptables, ipvs or nftables'),
    kubeVersion: read('kube-version', version, 'a version looks like 1.30 or v1.33.6'),
    node: read('node', (text) => text, ''),
    nodeIPs: read('node-ip', listOf(isIp), 'an IP address, or one of each family'),
    clusterCIDR: read('cluster-cidr', (text) => listOf(isCidr)(text)?.join(','), 'a CIDR, or one of each family'),
    serviceCIDRs: read('service-cidr', listOf(isCidr), 'a CIDR, or one of each family'),
    nodePortAddresses: read('nodeport-addresses', listOf(isNodePortAddress), 'CIDRs, or the word primary'),
    detectLocalMode: read('detect-local-mode', oneOf(localModes), `one of ${localModes.join(', ')}`),
    masqueradeAll: read('masquerade-all', isTrue, 'true or false'),
    assumesPods: read('assume-pods', isTrue, 'true or false'),
    family: read('family', oneOf(['ipv4', 'ipv6', 'both'] as const), 'ipv4, ipv6 or both'),
  };
  const options = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { options, problems };
}

const localModes = ['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'] as const;

function oneOf<T extends string>(words: readonly T[]): (text: string) => T | undefined {
  return (text) => words.find((word) => word === text);
}

function listOf(isGood: (text: string) => boolean): (text: string) => readonly string[] | undefined {
  return (text) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
    return parts.length > 0 && parts.every(isGood) ? parts : undefined;
  };
}

function version(text: string): string | undefined {
  return /^v?1\.\d+(?:\.\d+)?(?:[-+].*)?$/.test(text) ? text : undefined;
}

function isIp(text: string): boolean {
  return canonicalIp(text) !== undefined;
}

function isCidr(text: string): boolean {
  return parseCidr(text) !== undefined;
}

function isNodePortAddress(text: string): boolean {
  return isNodePortWord(text) || isCidr(text);
}

function isTrue(text: string): boolean | undefined {
  return text === 'true' ? true : text === 'false' ? false : undefined;
}
