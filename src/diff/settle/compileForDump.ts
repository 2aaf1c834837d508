import { familyOf } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { defaultMode, type ProxyMode, proxyModeOf } from '../../common/proxy/proxyMode.ts';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import type { Finding } from '../../findings/finding.ts';
import { makeFinding } from '../../findings/makeFinding.ts';
import { completedByDump } from '../../import/completedByDump.ts';
import { lacksNamespace } from '../../import/namespacedByDump.ts';
import { withoutOtherServices } from '../../import/withoutOtherServices.ts';
import type { Model } from '../../model/model.ts';
import type { SeenServices } from '../../model/seenServices.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled, CompileInput } from '../../pipeline/compile.ts';
import { endpointsNameNodes } from '../../pipeline/read/nodeShown.ts';
import { beginSearch } from '../../pipeline/search/beginSearch.ts';
import { apiServerAddresses } from '../../seen/ipvs/apiServerAddresses.ts';
import { type ProxySeen, proxySeen } from '../../seen/proxySeen.ts';
import { nodeOfDump } from '../nodeOfDump.ts';
import { otherNode } from '../otherNode.ts';
import { reportMadeNames } from '../reportMadeNames.ts';
import { type CompiledWithFacts, compileWithFacts } from './compileWithFacts.ts';
import { hidesEndpoints, lacksSlices } from './hidesEndpoints.ts';
import { lacksValues } from './lacksValues.ts';
import { servicesByAddress } from './servicesByAddress.ts';
import { settingFlags } from './settingFlags.ts';
import { settledByDump } from './settledByDump.ts';
import { shownAddresses } from './shownAddresses.ts';
import { shownSettings } from './shownSettings.ts';
import { newestShown } from './versionsShown.ts';
import { withNodeShown } from './withNodeShown.ts';
import { withShownPodRange } from './withShownPodRange.ts';

/** Manifests compiled for a comparison with one dump. */
export interface CompiledForDump extends CompiledWithFacts {
  /** The part of the dump that is compared: for manifests from a repository, without Services that they do not have. */
  readonly dump: NodeRules;
  /** Looks for chains of endpoints in the dump in parallel; undefined: no thread is available. */
  readonly search: SearchEndpoints | undefined;
  /** Values and endpoints that the manifests lack come from the dump. */
  readonly takesFromDump: boolean;
  /** The objects are not all of the cluster's: what the dump holds beyond them is no difference. */
  readonly isPart: boolean;
  /** Services whose rules were therefore left out of `dump`, where rules name them. */
  readonly leftOut: readonly string[];
  /**
   * There are several Nodes, or endpoints on Nodes that are not given, and the dump does not show which one it comes from.
   */
  readonly isNodeUnknown: boolean;
  /** The dump's rules count with nfacct. */
  readonly hasNfacct: boolean;
  /** What was taken from the dump, in sentences. */
  readonly notes: readonly string[];
  /** Services that the dump should have rules for, identified only by name. */
  readonly missing: readonly Finding[];
}

/**
 * Compiles what should be on the node of a dump. Settings that nobody gave come from the dump, and so do values that
 * only a cluster knows (cluster IPs, node ports, endpoints of manifests from a repository): invented values are never
 * compared. Undefined: an error was reported.
 */
export function compileForDump(given: CompileInput, dump: NodeRules, report: Report): CompiledForDump | undefined {
  const { search } = given;
  const proxy = proxySeen(dump);
  const { objects, named } = completedByDump(given.objects, () => proxy.services);
  reportMadeNames(named, report);
  const input = { ...given, objects };
  const notes: string[] = [];
  const missing: Diagnostic[] = [];
  const nodePorts = nodePortsOf(input.objects);
  const nodePortIPs = proxy.nodePortIPsOf(nodePorts);
  const target = withDeduced(input, dump, nodePortIPs, notes);
  const mode = target.mode ?? defaultMode;
  const { namesServices } = modeFacts[mode];
  // Rules of IPVS mode do not name Services: values come from the virtual servers at their addresses, and none are invented.
  const takesFromDump = lacksValues(input.objects);
  const isAsked = takesFromDump || input.objects.some(hidesEndpoints) || lacksSlices(input.objects);
  const services = () => (namesServices ? proxy.services : servedAt(input.objects, proxy, mode));
  const seen = isAsked ? services() : undefined;
  let isNodeUnknown = false;
  const shownNode = nodeOfDump(dump, (sentence) => notes.push(`${sentence} (--node names another)`), {
    addresses: () => [...nodePortIPs, ...(target.nodeIPs ?? [])],
    ...(takesFromDump && seen && seen.size > 0 && { services: () => seen }),
  });
  const chooseNode: typeof shownNode = (manifests) => {
    const chosen = shownNode(manifests);
    isNodeUnknown = chosen === undefined && manifests.nodes.length === 0 && endpointsNameNodes(manifests);
    return chosen;
  };
  const settle = (model: Model) => {
    const known = withShownPodRange(model, proxy.podRanges, (sentence) => noteOnce(sentence, notes));
    return settledByDump(withNodeShown(known, dump, services), () => seen ?? proxy.services);
  };
  const shownVersion = newestShown(dump, nodePorts);
  const withSeen = { ...input, target: { ...target, ...(seen && { seen }) }, shownVersion, chooseNode, settle };
  const heard = (diagnostic: Diagnostic) => {
    isNodeUnknown ||= diagnostic.code === 'node-not-chosen';
    if (diagnostic.code === 'taken-from-dump') notes.push(`${diagnostic.message} (${diagnostic.hint})`);
    else if (diagnostic.code === 'service-not-in-dump') missing.push(diagnostic);
    else if (diagnostic.code === 'node-without-pod-range' && proxy.podRanges.length > 0) return;
    // Which version runs is not known yet.
    else if (diagnostic.code === 'ipvs-deprecated' && input.kubeVersion === undefined) return;
    else report(diagnostic);
  };
  const compiled = compileWithFacts(withSeen, heard, (own) => {
    if (search !== undefined) beginSearch(own, dump, search);
  });
  if (compiled === undefined) return undefined;
  const other = otherNode(compiled.compiled.model, nodePortIPs);
  if (other !== undefined) notes.push(other);
  const isWhole = [...dump.iptables, ...dump.nft].some(({ tables }) => [...tables.values()].some(isProxyHome));
  const lost = isWhole && showsAllFamilies(input, dump) ? missing.map(missingFinding) : [];
  const all = { ...compiled, search, isNodeUnknown, hasNfacct: proxy.hasNfacct, notes, leftOut: [] };
  const namespaces = namespacesOfTables(given.objects, objects);
  const completes = takesFromDump || namespaces !== undefined;
  const isPart = completes || isOfSome(objects, compiled.compiled, dump, isWhole);
  if (!isPart) return { ...all, dump, takesFromDump: false, isPart, missing: lost };
  if (!namesServices) {
    if (!takesFromDump) notes.push(namespaces === undefined ? someServicesNote : oneNamespaceNote);
    if (missing.length > 0) notes.push(leftOutNote(missing.flatMap(({ services = [] }) => services)));
    return { ...all, dump, takesFromDump: completes, isPart, missing: [] };
  }
  const asked = new Set(compiled.compiled.model.servicePorts.map(({ namespace, name }) => `${namespace}/${name}`));
  const { node, others } = withoutOtherServices(dump, (service) => {
    return asked.has(service) || namespaces?.has(service.slice(0, service.indexOf('/'))) === true;
  });
  const leftOut = [...others].filter((name) => !isGiven(name, objects));
  if (leftOut.length > 0) notes.push(leftOutOfDump(leftOut));
  return { ...all, dump: node, takesFromDump: completes, isPart, leftOut, missing: lost };
}

/** Objects may be read once more, as another version. */
function noteOnce(sentence: string, notes: string[]): void {
  if (!notes.includes(sentence)) notes.push(sentence);
}

function servedAt(objects: CompileInput['objects'], proxy: ProxySeen, mode: ProxyMode): SeenServices {
  const shown = proxy.of(mode);
  return servicesByAddress(objects, shown.ports(shown.versions?.versions ?? []).ports);
}

/**
 * Every cluster has the Service `kubernetes`: objects without it are not all, if the node has its rules, or hides whether
 * it has them.
 */
function isOfSome(objects: CompileInput['objects'], { model }: Compiled, dump: NodeRules, isWhole: boolean): boolean {
  if (isGiven(kubernetes, objects)) return false;
  if (modeFacts[model.config.mode].namesServices) return !isWhole || proxySeen(dump).names.has(kubernetes);
  const given = new Set(model.servicePorts.map(({ clusterIP }) => clusterIP));
  return apiServerAddresses(dump).some((address) => !given.has(address));
}

const kubernetes = 'default/kubernetes';

/** A Service may have the family that was not dumped, if the node has both. */
function showsAllFamilies({ objects, target }: CompileInput, { iptables, nft }: NodeRules): boolean {
  const shown = new Set([...iptables, ...nft].map(({ family }) => family));
  if (shown.size > 1) return true;
  const addresses = objects.flatMap(({ kind, value }) => {
    const status = kind === 'Node' ? (value.status as { addresses?: { address?: unknown }[] } | undefined) : undefined;
    return (status?.addresses ?? []).map(({ address }) => String(address));
  });
  const families = [...addresses, ...(target.nodeIPs ?? [])].map(familyOf).filter((family) => family !== undefined);
  return families.every((family) => shown.has(family));
}

function leftOutNote(services: readonly string[]): string {
  const shown = services.slice(0, 3).join(', ') + (services.length > 3 ? `, and ${services.length - 3} more` : '');
  return `rules of IPVS mode name no Services, and the input has no cluster IP of ${shown}: not compared, nor is what the dump holds beyond the others (give what \`kubectl get services,endpointslices -A -o json\` prints)`;
}

/** `tcp 30080` of each node port that the manifests name. */
function nodePortsOf(objects: CompileInput['objects']): readonly string[] {
  return objects.flatMap(({ kind, value }) => {
    const ports = kind === 'Service' ? (value.spec as { ports?: unknown } | undefined)?.ports : undefined;
    if (!Array.isArray(ports)) return [];
    return (ports as ({ protocol?: unknown; nodePort?: unknown } | null)[]).flatMap((port) =>
      port?.nodePort ? `${String(port.protocol ?? 'TCP').toLowerCase()} ${String(port.nodePort)}` : [],
    );
  });
}

const someServicesNote =
  'the objects are not all, as the Service default/kubernetes is not among them, and rules of IPVS mode name no Services: what the dump holds beyond them is not compared';

const oneNamespaceNote =
  'the tables show one namespace only, and rules of IPVS mode name no Services: what the dump holds beyond them is not compared';

/**
 * The namespaces of Services in tables that show all of them without a column: nothing is known about other namespaces.
 */
function namespacesOfTables(
  given: CompileInput['objects'],
  completed: CompileInput['objects'],
): ReadonlySet<string> | undefined {
  const services = given.filter(({ kind }) => kind === 'Service');
  if (services.length === 0 || !services.every(lacksNamespace)) return undefined;
  const own = completed.filter(({ kind }) => kind === 'Service');
  return new Set(own.map(({ value }) => String((value.metadata as { namespace?: unknown }).namespace ?? 'default')));
}

function isGiven(service: string, objects: CompileInput['objects']): boolean {
  return objects.some(({ kind, value }) => {
    const { namespace = 'default', name } = (value.metadata ?? {}) as { namespace?: unknown; name?: unknown };
    return kind === 'Service' && `${namespace}/${name}` === service;
  });
}

/** Says which Services of a dump the objects lack. */
export function leftOutOfDump(others: readonly string[]): string {
  const shown = others.slice(0, 3).join(', ') + (others.length > 3 ? ', …' : '');
  const services = others.length === 1 ? '1 Service' : `${others.length} Services`;
  return `the dump has rules of ${services} that the input does not have (${shown}): not compared`;
}

/** A table that was dumped whole and holds the Services: anything missing in it is not on the node. */
function isProxyHome({
  name,
  isWhole,
  chains,
}: {
  name: string;
  isWhole: boolean;
  chains: ReadonlyMap<string, unknown>;
}) {
  return isWhole && ((name === 'nat' && chains.has('KUBE-SERVICES')) || chains.has('services'));
}

function missingFinding({ message, services: [service] = [], at }: Diagnostic): Finding {
  return makeFinding('K8N201', { what: message, ...(service !== undefined && { service }), places: at });
}

/** Flags and configuration override what the dump shows. */
function withDeduced(
  input: CompileInput,
  dump: NodeRules,
  nodePortIPs: readonly string[],
  notes: string[],
): CompileInput['target'] {
  const { target } = input;
  const proxy = proxySeen(dump);
  const config = [...input.objects, ...input.configObjects].find(
    ({ kind }) => kind === 'KubeProxyConfiguration',
  )?.value;
  const asks = (field: string) => Boolean(config?.[field]);
  const mode = target.mode === undefined && !asks('mode') ? proxy.mode : undefined;
  const hasDetector = target.clusterCIDR ?? target.detectLocalMode ?? (asks('clusterCIDR') || asks('detectLocalMode'));
  const clusterCIDR = hasDetector || proxy.podRanges.length === 0 ? undefined : proxy.podRanges.join(',');
  const proxyMode = mode ?? target.mode ?? defaultMode;
  const nodePortAddresses = target.nodePortAddresses ?? config?.nodePortAddresses;
  const { addresses, options } = shownAddresses(input, dump, nodePortIPs, nodePortAddresses, proxyMode);
  const settings = {
    ...(config === undefined ? shownSettings(input, dump, proxyMode) : {}),
    ...shownServiceRanges(input, proxy, config?.mode ?? proxyMode),
  };
  const flags = [
    ...(mode === undefined || mode === defaultMode ? [] : [`--mode ${mode}`]),
    ...(clusterCIDR === undefined ? [] : [`--cluster-cidr ${clusterCIDR}`]),
    ...settingFlags(settings),
    ...addresses.map((address) => `--node-address ${address}`),
  ];
  if (flags.length > 0) notes.push(`settings as the dump shows them: ${flags.join(' ')}`);
  return {
    ...target,
    ...(mode && { mode }),
    ...(clusterCIDR && { clusterCIDR }),
    ...settings,
    ...options,
  };
}

/** The configuration does not contain them: since 1.33 they are objects of the cluster. */
function shownServiceRanges(
  { target, objects }: CompileInput,
  proxy: ProxySeen,
  mode: unknown,
): Pick<CompileInput['target'], 'serviceCIDRs'> {
  if (target.serviceCIDRs !== undefined || objects.some(({ kind }) => kind === 'ServiceCIDR')) return {};
  const known = proxyModeOf(mode);
  const { serviceCIDRs } = known !== undefined && modeFacts[known].dropsUnallocated ? proxy.of(known).settings : {};
  return serviceCIDRs === undefined ? {} : { serviceCIDRs };
}
