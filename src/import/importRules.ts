import { cidrAddress } from '../common/addresses/cidr.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { wholeRange } from '../common/addresses/wholeRange.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { count } from '../common/text/count.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { dialectOf } from '../dialect/dialectOf.ts';
import { gatesNeeded } from '../dialect/gates/gateState.ts';
import { mixedBalancer } from '../dialect/gates/mixedBalancer.ts';
import { newestVersion } from '../dialect/newestVersion.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { versionsOf } from '../seen/versions/versionsOf.ts';
import { foreignRules } from './foreignRules.ts';
import { configManifest } from './manifests/configManifest.ts';
import type { ImportContext } from './manifests/importContext.ts';
import type { ImportedService } from './manifests/importedService.ts';
import { importService, serviceManifests } from './manifests/importService.ts';
import { legalGroups } from './manifests/legalGroups.ts';
import type { ImportedManifest } from './manifests/manifest.ts';
import { nodeAddresses } from './manifests/nodeAddresses.ts';
import { nodeManifest } from './manifests/nodeManifest.ts';
import { nodePortAddressesSetting } from './manifests/nodePortAddressesSetting.ts';
import { type ServiceGroup, serviceGroups } from './manifests/serviceGroup.ts';
import { serviceRangeManifest } from './manifests/serviceRangeManifest.ts';
import { reportImport } from './reportImport.ts';

/** Whose rules are read back. */
export interface ImportOptions {
  /** Default: from the facts, otherwise `node`. */
  readonly node?: string | undefined;
  /** One of each family at most. */
  readonly nodeIPs?: readonly string[] | undefined;
  /** Further addresses of the node. */
  readonly nodeAddresses?: readonly string[] | undefined;
  /** Ranges of the node's Pods: endpoints in them are on the node, others on other nodes. Default: what rules tell. */
  readonly podCIDRs?: readonly string[] | undefined;
  /** Default: the one that the rules show. */
  readonly mode?: ProxyMode | undefined;
  readonly kubeVersion?: KubeVersion | undefined;
  /** What is read goes into rules of another kind, and nobody sees manifests: what is said does not speak of them. */
  readonly isForRules?: boolean;
}

/** What a dump shows about a cluster. */
export interface Imported {
  /** What the dump is called. */
  readonly name: string;
  readonly mode: ProxyMode;
  /** Those that may have written the rules, the oldest first; empty: none writes all of them. */
  readonly versions: readonly KubeVersion[];
  /** kube-proxy's configuration, the Node, then Services, each with its EndpointSlices; made one after the other. */
  readonly manifests: Iterable<ImportedManifest>;
  readonly services: number;
  readonly foreignRules: number;
  /** Packets are counted by nfacct. */
  readonly hasNfacct: boolean;
  /** How many endpoints nothing tells the node of. */
  readonly placeless: number;
  /** What of kube-proxy's rules the dump does not show, or was left out, each in a few words. */
  readonly gaps: readonly string[];
}

/**
 * Reads manifests back from a node's rules: the Services, endpoints and settings of which kube-proxy makes these rules.
 * What does not show is left out and reported; a value that a manifest cannot do without is made up, reported and
 * marked. Undefined: there are no rules of kube-proxy.
 */
export function importRules(dump: NodeRules, options: ImportOptions, report: Report): Imported | undefined {
  const proxy = proxySeen(dump);
  const modes = options.mode === undefined ? proxy.modes : [options.mode];
  const [mode] = modes;
  if (mode === undefined) {
    report(holdsNoRules(dump));
    return undefined;
  }
  const seenOfMode = proxy.of(mode);
  const detected = seenOfMode.versions?.versions ?? [];
  const asked = options.kubeVersion && [options.kubeVersion];
  const reading = seenOfMode.ports(asked ?? detected);
  const { groups, refused } = legalGroups(serviceGroups(reading.ports));
  const addresses = nodeAddresses(reading.ports, reading.settings, {
    nodeIPs: options.nodeIPs ?? factIPs(dump),
    others: options.nodeAddresses ?? [],
    ownExternal: reading.ownExternal,
  });
  const versions = asked ?? versionsOf(reading, mode, addresses.nodeIPs, detected);
  const version = versions.at(-1) ?? newestVersion();
  const { plan } = dialectOf(mode, version);
  const asksForHints = [version, ...versions].some((one) => dialectOf(mode, one).plan.hints !== 'always');
  const mixesProtocols = mixedBalancer(version) !== 'refused';
  const context = contextOf(dump, options, { nodeIPs: addresses.nodeIPs, plan, asksForHints, mixesProtocols });
  const services = groups.map((group) => importService(group, context));
  const config = nodePortAddressesSetting(mode, reading.settings, addresses, plan);
  const nodeObject = {
    name: context.node,
    addresses: addresses.all,
    madeUp: addresses.madeUp,
    versions: versions.length > 0 ? versions : undefined,
    hasZone: services.some(({ usesHints }) => usesHints),
    podCIDRs: context.podCIDRs,
  };
  const seen = {
    hasNfacct: reading.settings.some((one) => one.hasNfacct),
    foreign: foreignRules(dump),
    gaps: seenOfMode.gaps,
  };
  const made = { reading, groups, services, refused, config, nodeObject, ...seen };
  const told = { versions: seenOfMode.versions?.versions, isVersionAsked: asked !== undefined };
  reportImport({ dump, mode, modes, ...told, ...made, isForRules: options.isForRules === true }, report);
  const manifests = {
    *[Symbol.iterator]() {
      yield* [
        configManifest(mode, reading.settings, config, plan, gatesNeeded(mode, version)),
        nodeManifest(nodeObject),
      ];
      yield* serviceRangeManifest(reading.settings);
      for (const service of services) yield* serviceManifests(service, context);
    },
  };
  return {
    name: dump.name,
    mode,
    versions,
    manifests,
    services: groups.length,
    foreignRules: seen.foreign,
    hasNfacct: seen.hasNfacct,
    placeless: services.reduce((sum, one) => sum + one.placeless, 0),
    gaps: [...seen.gaps, ...lostParts(groups, services, refused.length)],
  };
}

/** Endpoints that are not on the node are on one whose name is not its own. */
function contextOf(
  { network }: NodeRules,
  { node = network.node ?? 'node', podCIDRs = [] }: ImportOptions,
  known: Pick<ImportContext, 'nodeIPs' | 'plan' | 'asksForHints' | 'mixesProtocols'>,
): ImportContext {
  return { node, otherNode: node === 'another-node' ? 'yet-another-node' : 'another-node', podCIDRs, ...known };
}

function holdsNoRules({ name }: NodeRules): Diagnostic {
  return {
    code: 'not-a-dump',
    severity: 'error',
    message: `${name} holds no rules of kube-proxy`,
    at: [],
    hint: 'give the output of iptables-save, nft list ruleset, or in IPVS mode also of ipset save and ipvsadm -Sn',
  };
}

/** What was read of Services without being whole. */
function lostParts(
  groups: readonly ServiceGroup[],
  services: readonly ImportedService[],
  refused: number,
): readonly string[] {
  const lacking = services.filter(({ lacksEndpoints }) => lacksEndpoints).length;
  const nowhere = groups.filter(({ seen }) => seen.every(({ clusterIP }) => clusterIP === undefined)).length;
  return [
    ...(lacking > 0 ? [`endpoints of ${count(lacking, 'Service')}`] : []),
    ...(nowhere > 0 ? [`cluster IPs of ${count(nowhere, 'Service')}`] : []),
    ...(refused > 0 ? [`${count(refused, 'Service')} that no API server would take`] : []),
  ];
}

/** The address of the interface that the default route leaves by, where the dump shows routes and interfaces. */
function factIPs({ network }: NodeRules): readonly string[] {
  return (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const everything = wholeRange(family);
    const route = network.routes.find((one) => one.family === family && one.destination === everything && one.device);
    const device = network.interfaces.find(({ name }) => name === route?.device);
    const address = device?.addresses.find(({ cidr }) => familyOf(cidr.split('/')[0] ?? '') === family);
    return route?.source ?? (address === undefined ? [] : (cidrAddress(address.cidr) ?? []));
  });
}
