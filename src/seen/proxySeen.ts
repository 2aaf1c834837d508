import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { memoized } from '../common/memoized.ts';
import { onDemand } from '../common/onDemand.ts';
import { type ModeFacts, modeFacts } from '../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { Detection } from '../dialect/detectVersions.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { SeenServices } from '../model/seenServices.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { everyTool } from '../node/ruleKinds.ts';
import { type ProxyAbsence, proxyAbsence } from './absence/proxyAbsence.ts';
import { dumpGaps } from './gaps/dumpGaps.ts';
import { answeringAddresses } from './ipvs/answeringAddresses.ts';
import { ipvsFacts } from './ipvs/ipvsFacts.ts';
import { hidesServers } from './ipvs/shownInPart.ts';
import { modesShown } from './modes/modesShown.ts';
import { readMode } from './modes/readMode.ts';
import { type SoundReading, soundReading } from './modes/soundReading.ts';
import { dumpedServices } from './names/dumpedServices.ts';
import { namesOwnEndpoints } from './nft/hairpinSet.ts';
import { seenServices } from './ports/seenServices.ts';
import { nftSettings } from './settings/nftSettings.ts';
import { podRangeOf } from './settings/podDetector.ts';
import { type ShownTarget, shownTarget } from './settings/shownTarget.ts';
import { showsNfacct } from './settings/showsNfacct.ts';
import { detectedIn } from './versions/detectedIn.ts';

/**
 * What kube-proxy left on a node: only here are its mode, versions, settings, Service ports and their names read off
 * rules. Everything is worked out on demand. Undefined, or a missing entry, means that the node does not show it: do
 * not take it for empty.
 */
export interface ProxySeen {
  /**
   * The mode that kube-proxy itself reports, or the only mode whose rules exist. Rules of two modes show neither:
   * leftovers of the other mode are a finding, not a choice.
   */
  readonly mode: ProxyMode | undefined;
  /** All modes whose rules exist, the likeliest first. */
  readonly modes: readonly ProxyMode[];
  /** Set if the dump would show kube-proxy's rules but has none. */
  readonly absence: ProxyAbsence | undefined;
  /**
   * The range by which rules recognize Pods, at most one of each family. Empty: none is visible, or two rule sets
   * disagree.
   */
  readonly podRanges: readonly string[];
  /** Addresses of the node at which node ports answer, as IPVS and nftables mode list them. */
  readonly nodePortIPs: readonly string[];
  /**
   * The same if the numbers of node ports are known: without its sets, IPVS mode does not distinguish them from others.
   */
  readonly nodePortIPsOf: (nodePorts: readonly string[]) => readonly string[];
  /** Services that rules name, as `namespace/name`; IPVS mode names none. */
  readonly names: ReadonlySet<string>;
  /** What rules show about these Services. */
  readonly services: SeenServices;
  /** Rules name endpoints of the node itself, whatever the policies are: those of nftables mode since 1.36. */
  readonly namesOwnEndpoints: boolean;
  /** Addresses of endpoints on the node, which IPVS mode masquerades when they reach themselves (KUBE-LOOP-BACK). */
  readonly ownEndpoints: readonly string[];
  /** IPVS mode, and where packets to Services go is not shown, or for an address or a port of them alone. */
  readonly hidesServers: boolean;
  /** Packets are counted by nfacct. */
  readonly hasNfacct: boolean;
  /** What the rules of one mode show. */
  readonly of: (mode: ProxyMode) => ModeSeen;
}

/** What the rules of one mode show. */
export interface ModeSeen {
  /** The versions of kube-proxy that may have written them; undefined: nothing in the mode shows it. */
  readonly versions: Detection | undefined;
  /** Settings that a configuration would have given. */
  readonly settings: ShownTarget;
  /** What the dump cannot show of them, each in a few words; empty: nothing suggests that it is incomplete. */
  readonly gaps: readonly string[];
  /** Service ports and settings in both families, read as rules that one of these versions wrote. */
  readonly ports: (versions: readonly KubeVersion[]) => SoundReading;
}

export const proxySeen = memoized((node: NodeRules): ProxySeen => {
  const ofModes = new Map<ProxyMode, ModeSeen>();
  const nodePortIPsOf = (nodePorts: readonly string[]) => nodePortAddresses(node, seen.mode, nodePorts);
  const seen: ProxySeen = onDemand<ProxySeen>({
    mode: () => node.proxy.mode ?? only(modesOf(node)),
    modes: () => modesOf(node).modes,
    absence: () => proxyAbsence(node),
    podRanges: () => podRangesIn(node),
    nodePortIPs: () => nodePortIPsOf([]),
    nodePortIPsOf: () => nodePortIPsOf,
    names: () => dumpedServices(node),
    services: () => seenServices(node),
    namesOwnEndpoints: () => node.nft.some(({ tables }) => [...tables.values()].some(namesOwnEndpoints)),
    ownEndpoints: () => loopedBack(node),
    hidesServers: () => usesIpvs(seen.mode) && hidesServers(node),
    hasNfacct: () => showsNfacct(node),
    of: () => (mode) => {
      const known = ofModes.get(mode) ?? modeSeen(node, mode);
      ofModes.set(mode, known);
      return known;
    },
  });
  return seen;
});

function usesIpvs(mode: ProxyMode | undefined): boolean {
  return mode !== undefined && modeFacts[mode].usesIpvs;
}

const modesOf = memoized((node: NodeRules) => modesShown(everyTool(node)));

function only({ modes, isGuess }: ReturnType<typeof modesShown>): ProxyMode | undefined {
  return modes.length === 1 && !isGuess ? modes[0] : undefined;
}

function modeSeen(node: NodeRules, mode: ProxyMode): ModeSeen {
  return onDemand<ModeSeen>({
    versions: () => detectedIn(mode, everyTool(node)),
    settings: () => shownTarget(node, mode),
    gaps: () => dumpGaps(node, mode),
    ports: () => (versions) => soundReading(readMode(node, mode, versions)),
  });
}

function podRangesIn({ iptables, nft }: NodeRules): readonly string[] {
  const ranges = new Map<Family, string>();
  for (const rules of [...iptables, ...nft]) {
    const range = podRangeOf(rules);
    const known = ranges.get(rules.family);
    if (range === undefined) continue;
    if (known !== undefined && known !== range) return [];
    ranges.set(rules.family, range);
  }
  return [...ranges.values()];
}

function nodePortAddresses(
  node: NodeRules,
  mode: ProxyMode | undefined,
  nodePorts: readonly string[],
): readonly string[] {
  return mode === undefined ? [] : addressesShown[modeFacts[mode].namedNodeAddresses](node, nodePorts);
}

const addressesShown: Readonly<
  Record<ModeFacts['namedNodeAddresses'], (node: NodeRules, nodePorts: readonly string[]) => readonly string[]>
> = { none: () => [], primary: nftAddresses, all: ipvsAddresses };

/** Addresses at which every node port has a virtual server. */
function ipvsAddresses(node: NodeRules, given: readonly string[]): readonly string[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => answeringAddresses(ipvsFacts(node, family), given));
}

function loopedBack(node: NodeRules): readonly string[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    return ipvsFacts(node, family)
      .members('loopBack')
      .map(({ ip }) => ip);
  });
}

function nftAddresses({ nft }: NodeRules): readonly string[] {
  return nft.flatMap((rules) => {
    const { nodePorts } = nftSettings(rules);
    return nodePorts?.kind === 'addresses' ? nodePorts.addresses.filter((ip) => familyOf(ip) !== undefined) : [];
  });
}
