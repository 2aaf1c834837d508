import type { Family } from '../../common/addresses/family.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import { heaviestRules } from '../../node/heaviestRules.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { iptablesPorts } from '../iptables/iptablesPorts.ts';
import { type IpvsFacts, ipvsFacts } from '../ipvs/ipvsFacts.ts';
import { ipvsPorts } from '../ipvs/ipvsPorts.ts';
import { nftPorts } from '../nft/nftPorts.ts';
import type { SeenPort } from '../ports/seenPort.ts';
import { iptablesSettings } from '../settings/iptablesSettings.ts';
import { ipvsSettings } from '../settings/ipvsSettings.ts';
import { nftSettings } from '../settings/nftSettings.ts';
import type { SeenSettings } from '../settings/seenSettings.ts';
import { userspacePorts } from '../userspace/userspacePorts.ts';

/** Everything that the rules of one mode show. */
export interface ModeReading {
  readonly ports: readonly SeenPort[];
  readonly settings: readonly SeenSettings[];
  /** Addresses and node ports that belong to no visible Service, in words. */
  readonly left: readonly string[];
  /** Names of Services that may have parts which belong to another. */
  readonly guesses: readonly string[];
  /** Addresses of Services that are on an interface of the node other than kube-ipvs0. */
  readonly ownExternal: readonly string[];
}

/**
 * Reads Service ports and settings off the rules of one mode, in both families. `versions`: those that may have written
 * them.
 */
export function readMode(node: NodeRules, mode: ProxyMode, versions: readonly KubeVersion[]): ModeReading {
  return readers[mode](node, versions);
}

const readers: Readonly<Record<ProxyMode, (node: NodeRules, versions: readonly KubeVersion[]) => ModeReading>> = {
  iptables: (node) => plain(byFamily(node.iptables), iptablesPorts, iptablesSettings),
  ipvs: readIpvs,
  nftables: (node) => plain(node.nft, nftPorts, nftSettings),
  userspace: (node) => plain(byFamily(node.iptables), userspacePorts, ({ family }) => ({ family })),
};

function plain(
  rules: readonly ToolRules[],
  portsOf: (rules: ToolRules) => readonly SeenPort[],
  settingsOf: (rules: ToolRules) => SeenSettings,
): ModeReading {
  const ports = rules.flatMap((one) => portsOf(one));
  return { ports, settings: rules.map(settingsOf), left: [], guesses: [], ownExternal: [] };
}

function byFamily(rules: readonly ToolRules[]): readonly ToolRules[] {
  return families.flatMap((family) => heaviestRules(rules.filter((one) => one.family === family)));
}

const families: readonly Family[] = ['ipv4', 'ipv6'];

/** If external IPs find no Service by the policy, the rules may be from a version that ignores the policy there. */
function readIpvs(node: NodeRules, versions: readonly KubeVersion[]): ModeReading {
  const facts = families.map((family) => ipvsFacts(node, family));
  const plans = versions.map((version) => dialectOf('ipvs', version).plan);
  const mayIgnore = plans.some((plan) => !plan.externalIPHonoursLocal);
  const mayHonour = plans.length === 0 || plans.some((plan) => plan.externalIPHonoursLocal);
  const strict = mayHonour ? ipvsPorts(facts, true) : undefined;
  const read = strict === undefined || (strict.left.length > 0 && mayIgnore) ? ipvsPorts(facts, false) : strict;
  return {
    ...read,
    settings: facts.filter(isShown(node)).map((own) => ipvsSettings(node, own)),
    ownExternal: facts.flatMap((own) => notBound(own, read.ports)),
  };
}

function isShown(node: NodeRules) {
  return ({ family, hasSets, hasServers }: IpvsFacts) =>
    hasSets || hasServers || node.iptables.some((rules) => rules.family === family);
}

/** Since 1.28 kube-ipvs0 does not get addresses that another interface has. */
function notBound({ bound, hasServers, family }: IpvsFacts, ports: readonly SeenPort[]): readonly string[] {
  if (bound === undefined || !hasServers) return [];
  const own = ports.filter((port) => port.family === family);
  const external = own.flatMap(({ externalIPs, loadBalancerIPs }) => [...externalIPs, ...loadBalancerIPs]);
  return [...new Set(external)].filter((ip) => !bound.has(ip));
}
