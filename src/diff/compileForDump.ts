import { hostCidr } from '../common/hostCidr.ts';
import { familyOf } from '../common/ip.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import type { Finding } from '../findings/finding.ts';
import { makeFinding } from '../findings/makeFinding.ts';
import { completedByDump } from '../import/completedByDump.ts';
import { lacksNamespace } from '../import/namespacedByDump.ts';
import { seenServices } from '../import/seenServices.ts';
import { withoutOtherServices } from '../import/withoutOtherServices.ts';
import type { Model } from '../model/model.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { beginSearch } from '../pipeline/beginSearch.ts';
import type { CompileInput } from '../pipeline/compile.ts';
import { type CompiledWithFacts, compileWithFacts } from './compileWithFacts.ts';
import { type DeducedTarget, deduceTarget } from './deduceTarget.ts';
import { hidesEndpoints } from './hidesEndpoints.ts';
import { lacksValues } from './lacksValues.ts';
import { nodeOfDump } from './nodeOfDump.ts';
import { otherNode } from './otherNode.ts';
import { reportMadeNames } from './reportMadeNames.ts';
import { settingFlags } from './settingFlags.ts';
import { settledByDump } from './settledByDump.ts';
import { shownSettings } from './shownSettings.ts';
import { shownTarget } from './shownTarget.ts';
import { showsNfacct } from './showsNfacct.ts';

/** Manifests compiled for a comparison with one dump. */
export interface CompiledForDump extends CompiledWithFacts {
  /** The dump as far as it is compared: of manifests from a repository without the Services that they do not have. */
  readonly dump: NodeRules;
  /** Values and endpoints that the manifests lack are the dump's own. */
  readonly takesFromDump: boolean;
  /** Several Nodes are given, and the dump does not show which of them it is of. */
  readonly isNodeUnknown: boolean;
  /** The dump's rules count with nfacct. */
  readonly hasNfacct: boolean;
  /** What was taken from the dump, in sentences. */
  readonly notes: readonly string[];
  /** Services that the dump should have rules for, told by their names alone. */
  readonly missing: readonly Finding[];
}

/**
 * Compiles what should be on the node that a dump is of. Settings that nobody gave are those that the dump shows, and
 * values that only a cluster knows (cluster IPs, node ports, endpoints of manifests from a repository) are the dump's
 * own: nothing that was made up is ever compared. Undefined: an error was reported.
 */
export function compileForDump(given: CompileInput, dump: NodeRules, report: Report): CompiledForDump | undefined {
  const { objects, named } = completedByDump(given.objects, () => seenServices(dump));
  reportMadeNames(named, report);
  const input = { ...given, objects };
  const notes: string[] = [];
  const missing: Diagnostic[] = [];
  const deduced = deduceTarget(dump, nodePortsOf(input.objects));
  const target = withDeduced(input, dump, deduced, notes);
  const mode = target.mode ?? 'iptables';
  // Rules of IPVS mode name no Services: nothing can be taken from them, and nothing is made up either.
  const takesFromDump = lacksValues(input.objects);
  const isAsked = takesFromDump || input.objects.some(hidesEndpoints);
  const seen = isAsked ? (mode === 'ipvs' ? new Map() : seenServices(dump)) : undefined;
  const chooseNode = nodeOfDump(dump, (sentence) => notes.push(`${sentence} (--node names another)`), {
    addresses: () => [...deduced.addresses, ...(target.nodeIPs ?? [])],
    ...(takesFromDump && seen && seen.size > 0 && { services: () => seen }),
  });
  const settle = (model: Model) => settledByDump(model, () => seen ?? seenServices(dump));
  const withSeen = { ...input, target: { ...target, ...(seen && { seen }) }, chooseNode, settle };
  let isNodeUnknown = false;
  const heard = (diagnostic: Diagnostic) => {
    isNodeUnknown ||= diagnostic.code === 'node-not-chosen';
    if (diagnostic.code === 'taken-from-dump') notes.push(`${diagnostic.message} (${diagnostic.hint})`);
    else if (diagnostic.code === 'service-not-in-dump') missing.push(diagnostic);
    // Which version runs is not known yet.
    else if (diagnostic.code === 'ipvs-deprecated' && input.kubeVersion === undefined) return;
    else report(diagnostic);
  };
  const compiled = compileWithFacts(withSeen, heard, (own) => beginSearch(own, dump));
  if (compiled === undefined) return undefined;
  const other = otherNode(compiled.compiled.model, deduced.addresses);
  if (other !== undefined) notes.push(other);
  const isWhole = [...dump.iptables, ...dump.nft].some(({ tables }) => [...tables.values()].some(isProxyHome));
  const lost = isWhole && showsAllFamilies(input, dump) ? missing.map(missingFinding) : [];
  const all = { ...compiled, isNodeUnknown, hasNfacct: showsNfacct(dump), notes };
  const namespaces = namespacesOfTables(given.objects, objects);
  if (!takesFromDump && namespaces === undefined) return { ...all, dump, takesFromDump: false, missing: lost };
  if (mode === 'ipvs') {
    if (!takesFromDump) notes.push(oneNamespaceNote);
    if (missing.length > 0) notes.push(leftOutNote(missing.flatMap(({ services = [] }) => services)));
    return { ...all, dump, takesFromDump: true, missing: [] };
  }
  const asked = new Set(compiled.compiled.model.servicePorts.map(({ namespace, name }) => `${namespace}/${name}`));
  const { node, others } = withoutOtherServices(dump, (service) => {
    return asked.has(service) || namespaces?.has(service.slice(0, service.indexOf('/'))) === true;
  });
  const foreign = [...others].filter((name) => !isGiven(name, objects));
  if (foreign.length > 0) notes.push(othersNote(foreign));
  return { ...all, dump: node, takesFromDump: true, missing: lost };
}

/** A Service may be of the family that was not dumped, where the node speaks both. */
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

const oneNamespaceNote =
  'the tables show one namespace only, and rules of IPVS mode name no Services: what the dump holds beyond them is not compared';

/** The namespaces of Services, where tables without a column for it show them all: nothing is said of other namespaces. */
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

function othersNote(others: readonly string[]): string {
  const shown = others.slice(0, 3).join(', ') + (others.length > 3 ? ', …' : '');
  const services = others.length === 1 ? '1 Service' : `${others.length} Services`;
  return `the dump has rules of ${services} that the input does not have (${shown}): not compared`;
}

/** A table that was dumped whole and holds the Services: what is not in it is not on the node. */
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
  return makeFinding('K8N201', { seen: message, ...(service !== undefined && { service }), expected: at });
}

/** Flags and configuration win over what the dump shows. */
function withDeduced(
  input: CompileInput,
  dump: NodeRules,
  deduced: DeducedTarget,
  notes: string[],
): CompileInput['target'] {
  const { target } = input;
  const config = [...input.objects, ...input.configObjects].find(
    ({ kind }) => kind === 'KubeProxyConfiguration',
  )?.value;
  const asks = (field: string) => Boolean(config?.[field]);
  const mode = target.mode === undefined && !asks('mode') ? deduced.mode : undefined;
  const hasDetector = target.clusterCIDR ?? target.detectLocalMode ?? (asks('clusterCIDR') || asks('detectLocalMode'));
  const clusterCIDR = hasDetector ? undefined : deduced.clusterCIDR;
  const isAddressed = target.nodeIPs !== undefined || target.nodeAddresses !== undefined;
  const hasNode = input.objects.some(({ kind }) => kind === 'Node') && !(mode === 'ipvs' || target.mode === 'ipvs');
  const addresses = isAddressed || hasNode ? [] : deduced.addresses;
  const proxyMode = mode ?? target.mode ?? 'iptables';
  const settings = {
    ...(config === undefined ? shownSettings(input, dump, proxyMode) : {}),
    ...shownServiceRanges(input, dump, config?.mode ?? proxyMode),
  };
  const flags = [
    ...(mode === undefined || mode === 'iptables' ? [] : [`--mode ${mode}`]),
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
    ...(addresses.length > 0 && addressOptions(addresses, deduced.mode)),
  };
}

/** The configuration does not have them: they are the cluster's, as objects since 1.33. */
function shownServiceRanges(
  { target, objects }: CompileInput,
  dump: NodeRules,
  mode: unknown,
): Pick<CompileInput['target'], 'serviceCIDRs'> {
  if (target.serviceCIDRs !== undefined || objects.some(({ kind }) => kind === 'ServiceCIDR')) return {};
  const { serviceCIDRs } = mode === 'nftables' ? shownTarget(dump, mode) : {};
  return serviceCIDRs === undefined ? {} : { serviceCIDRs };
}

/** In nftables mode node ports answer on the node's own address; in IPVS mode on all that it has. */
function addressOptions(addresses: readonly string[], mode: DeducedTarget['mode']): Partial<CompileInput['target']> {
  return mode === 'nftables' ? { nodeIPs: firstOfEach(addresses) } : { nodeAddresses: addresses.map(hostCidr) };
}

function firstOfEach(addresses: readonly string[]): readonly string[] {
  const isSix = (address: string) => address.includes(':');
  return [addresses.find((address) => !isSix(address)), addresses.find(isSix)].filter((one) => one !== undefined);
}
