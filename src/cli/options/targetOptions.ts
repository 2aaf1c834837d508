import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseCidr } from '../../common/addresses/cidr.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { type PortRange, parsePortRange } from '../../common/addresses/portRange.ts';
import { ipvsSchedulers } from '../../common/proxy/ipvsSchedulers.ts';
import { isInterfaceName } from '../../common/proxy/isInterfaceName.ts';
import { type ProxyMode, proxyModes } from '../../common/proxy/proxyMode.ts';
import { isNodePortWord } from '../../common/text/nodePortWord.ts';
import { type KubeVersion, parseKubeVersion } from '../../dialect/version.ts';
import type { TargetOptions } from '../../resolve/targetOptions.ts';
import type { FieldValidation } from '../../validate/fields/fieldValidation.ts';
import { collect, familyOption, validateOption } from './commonOptions.ts';

/** The target options as commander gives them. */
export interface TargetFlags {
  readonly mode?: ProxyMode;
  readonly kubeVersion?: KubeVersion;
  readonly config?: string;
  readonly node?: string;
  readonly nodeIp?: readonly string[];
  readonly nodeAddress?: readonly string[];
  readonly bindAddress?: string;
  readonly proxyPortRange?: string;
  readonly clusterCidr?: string;
  readonly detectLocalMode?: string;
  readonly bridgeInterface?: string;
  readonly podInterfaceNamePrefix?: string;
  readonly masqueradeAll?: boolean;
  readonly iptablesMasqueradeBit?: number;
  readonly nodeportAddresses?: readonly string[];
  readonly ipvsScheduler?: string;
  readonly ipvsStrictArp?: boolean;
  readonly ipvsExcludeCidrs?: readonly string[];
  readonly family: 'ipv4' | 'ipv6' | 'both';
  readonly cpus: number;
  readonly serviceCidr?: readonly string[];
  readonly serviceNodePortRange?: PortRange;
  readonly allocate: boolean;
  readonly assumePods: boolean;
  readonly assumeEmptyLabels: boolean;
  readonly podCidr?: readonly string[];
  readonly nfacct: boolean;
  readonly validate: FieldValidation;
}

/** Adds what compile, diff, check and trace share: the node, kube-proxy's settings and its version. */
export function addTargetOptions(command: Command): Command {
  const masqueradeBit = integer('bit', 0, 31);
  return command
    .addOption(
      new Option('--mode <mode>', "kube-proxy's mode (default: the config's, else iptables)").choices(proxyModes),
    )
    .addOption(
      new Option(
        '--kube-version <version>',
        'version of kube-proxy, with or without a patch level (default: that of the Node, else the newest known)',
      ).argParser(kubeVersion),
    )
    .option(
      '--config <file>',
      "a KubeProxyConfiguration, its ConfigMap, or kube-proxy's own flags (unit file, ps, log); options win over it",
    )
    .option('--node <node>', 'node to compile for (default: the only Node given, else "node")')
    .option('--node-ip <ips>', "IP of the node, or one of each family (default: the Node's InternalIP)", ips)
    .option('--node-address <cidr>', 'another local address, with its prefix length; can be repeated', address)
    .option('--bind-address <ip>', 'address that kube-proxy binds to (default: all)', bindAddress)
    .option('--proxy-port-range <range>', 'ports of userspace mode: A-B (default: 32768-60999)', portRange)
    .option('--cluster-cidr <cidrs>', 'CIDR of the Pods, or one of each family', clusterCidr)
    .addOption(
      new Option('--detect-local-mode <mode>', 'how traffic from local Pods is recognized').choices([
        'ClusterCIDR',
        'NodeCIDR',
        'BridgeInterface',
        'InterfaceNamePrefix',
      ]),
    )
    .option('--bridge-interface <name>', 'bridge of the Pods, for BridgeInterface', interfaceName)
    .option('--pod-interface-name-prefix <prefix>', "start of the names of Pods' interfaces", interfaceName)
    .option('--masquerade-all', 'masquerade all traffic to cluster IPs')
    .option('--iptables-masquerade-bit <bit>', 'bit of the mark for masquerading', masqueradeBit)
    .option(
      '--nodeport-addresses <cidrs>',
      'addresses on which node ports are open, or "primary" (1.31)',
      nodePortAddresses,
    )
    .addOption(new Option('--ipvs-scheduler <name>', 'scheduler of IPVS mode').choices(ipvsSchedulers))
    .option('--ipvs-strict-arp', 'answer ARP only for addresses of the interface asked')
    .option('--ipvs-exclude-cidrs <cidrs>', 'networks whose virtual servers kube-proxy leaves alone', cidrList)
    .addOption(familyOption())
    .option('--cpus <n>', "CPUs of the node, for conntrack's table size", integer('number', 1, 65_536), 4)
    .option(
      '--service-cidr <cidrs>',
      'range that missing cluster IPs are chosen from (default: 10.96.0.0/12)',
      cidrList,
    )
    .option('--service-node-port-range <range>', 'range of node ports: A-B (default: 30000-32767)', nodePortRange)
    .option('--no-allocate', 'do not fill in what the API server would allocate')
    .option('--assume-pods', 'make up the Pods of Deployments and other workloads', false)
    .option('--pod-cidr <cidrs>', "range of assumed Pods (default: the Node's)", cidrList)
    .option('--assume-empty-labels', 'take labels and port names that the input does not show for none', false)
    .option('--nfacct', 'the node has nfacct: versions from 1.31 on count with it', false)
    .addOption(validateOption());
}

/** The options as the resolver takes them. */
export function targetOptions(flags: TargetFlags): TargetOptions {
  return dropUndefined({
    mode: flags.mode,
    node: flags.node,
    nodeIPs: flags.nodeIp,
    nodeAddresses: flags.nodeAddress,
    bindAddress: flags.bindAddress,
    proxyPortRange: flags.proxyPortRange,
    clusterCIDR: flags.clusterCidr,
    detectLocalMode: flags.detectLocalMode,
    bridgeInterface: flags.bridgeInterface,
    interfaceNamePrefix: flags.podInterfaceNamePrefix,
    masqueradeAll: flags.masqueradeAll,
    masqueradeBit: flags.iptablesMasqueradeBit,
    nodePortAddresses: flags.nodeportAddresses,
    ipvsScheduler: flags.ipvsScheduler,
    ipvsStrictArp: flags.ipvsStrictArp,
    ipvsExcludeCIDRs: flags.ipvsExcludeCidrs,
    family: flags.family,
    cpus: flags.cpus,
    serviceCIDRs: flags.serviceCidr,
    nodePortRange: flags.serviceNodePortRange,
    allocates: flags.allocate,
    assumesPods: flags.assumePods,
    podCIDRs: flags.podCidr,
    assumesEmptyLabels: flags.assumeEmptyLabels,
  });
}

type WithUndefined<T> = { readonly [K in keyof T]: T[K] | undefined };

function dropUndefined(options: WithUndefined<TargetOptions>): TargetOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** Reads `--kube-version`. */
export function kubeVersion(text: string): KubeVersion {
  const version = parseKubeVersion(text);
  if (version === undefined || version.minor < 1) {
    throw new InvalidArgumentError('A version looks like 1.36, v1.33.6 or v1.33.6-eks-1, from 1.1 on.');
  }
  return version;
}

/** Reads `--service-node-port-range`. */
function nodePortRange(text: string): PortRange {
  const range = parsePortRange(text);
  if (range === undefined) throw new InvalidArgumentError('A range looks like 30000-32767.');
  return range;
}

/** Reads a comma-separated list; blanks around its parts do not count. */
export function list(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Reads one address, or one of each family. */
export function ips(text: string): readonly string[] {
  const addresses = list(text);
  for (const one of addresses)
    if (canonicalIp(one) === undefined) throw new InvalidArgumentError(`${one} is no IP address.`);
  const families = addresses.map(familyOf);
  if (addresses.length === 0 || new Set(families).size !== families.length) {
    throw new InvalidArgumentError('One address, or one of each family.');
  }
  return addresses;
}

/** Reads one address with its length; can be repeated. */
export function address(text: string, before: readonly string[] | undefined): readonly string[] {
  if (parseCidr(text) === undefined)
    throw new InvalidArgumentError(`${text} is not an address with its prefix length, like 10.0.0.5/24.`);
  return collect(text, before);
}

/** Reads a comma-separated list of networks. */
export function cidrList(text: string): readonly string[] {
  const cidrs = list(text);
  for (const cidr of cidrs) if (parseCidr(cidr) === undefined) throw new InvalidArgumentError(`${cidr} is no CIDR.`);
  return cidrs;
}

/** Networks, or the words that kube-proxy accepts instead. */
function nodePortAddresses(text: string): readonly string[] {
  const entries = list(text);
  const words = entries.filter(isNodePortWord);
  const networks = entries.filter((entry) => !isNodePortWord(entry));
  return networks.length === 0 && words.length > 0 ? words : [...words, ...cidrList(networks.join(','))];
}

export function clusterCidr(text: string): string {
  const families = cidrList(text).map((cidr) => parseCidr(cidr)?.family);
  if (new Set(families).size !== families.length) throw new InvalidArgumentError('One CIDR, or one of each family.');
  return text;
}

function bindAddress(text: string): string {
  const ip = canonicalIp(text);
  if (ip === undefined) throw new InvalidArgumentError('Not an IP address.');
  return ip;
}

/** `0-0` stands for the default. */
function portRange(text: string): string {
  if (parsePortRange(text) === undefined && !/^(?:0-0)?$/.test(text)) {
    throw new InvalidArgumentError('A range looks like 40000-41000.');
  }
  return text;
}

function interfaceName(text: string): string {
  if (!isInterfaceName(text)) throw new InvalidArgumentError('No name of an interface.');
  return text;
}

/** Reads a number within limits. */
export function integer(what: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`A ${what} from ${least} to ${most}.`);
    }
    return value;
  };
}
