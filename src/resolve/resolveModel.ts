import { parseCidr } from '../common/addresses/cidr.ts';
import { familyNames } from '../common/addresses/family.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Model } from '../model/model.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { ProxyConfig } from '../model/proxyConfig.ts';
import type { KubeProxyConfigurationObject } from '../validate/kinds/kubeProxyConfigurationObject.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import { assumePods } from './assumed/assumePods.ts';
import { serviceRanges } from './assumed/serviceRanges.ts';
import { hidingLabels } from './hidingLabels.ts';
import { resolveConfig } from './resolveConfig.ts';
import type { ResolveMemory } from './resolveMemory.ts';
import { resolveNode } from './resolveNode.ts';
import { resolveServicePorts } from './resolveServicePorts.ts';
import { resolveServices, servicesWithoutRules } from './resolveServices.ts';
import type { TargetOptions } from './targetOptions.ts';

/** The number of CPUs for nf_conntrack_max by default. */
const defaultCpus = 4;

/** The model of one node, and the Pods that it was made with. */
export interface ResolvedModel {
  readonly model: Model;
  /** Given Pods, and under `--assume-pods` those that workloads would start: the same for policies and endpoints. */
  readonly pods: Manifests['pods'];
  /** By `namespace/name`, with the reason. */
  readonly withoutRules: ReadonlyMap<string, string>;
}

/** The node, the settings of its kube-proxy, and the options with the ranges of cluster IPs from the objects. */
export interface ResolvedTarget {
  readonly node: NodeFacts;
  readonly config: ProxyConfig;
  readonly options: TargetOptions;
  readonly serviceCIDRs: readonly string[];
}

/** What the version of kube-proxy may depend on: its node, and its settings. */
export function resolveTarget(
  manifests: Manifests,
  config: KubeProxyConfigurationObject,
  given: TargetOptions,
  report: Report,
): ResolvedTarget {
  const serviceCIDRs = serviceRanges(manifests, given);
  const options = given.serviceCIDRs === undefined && serviceCIDRs ? { ...given, serviceCIDRs } : given;
  const nodeConfig = {
    hostnameOverride: config.hostnameOverride ?? '',
    bindAddress: options.bindAddress ?? config.bindAddress ?? '',
  };
  const node = resolveNode(manifests.nodes, options, nodeConfig, report);
  const proxyConfig = resolveConfig(config, options);
  reportDetector(proxyConfig, options, report);
  if (proxyConfig.detectLocal.kind === 'nodeCIDR') reportPodRange(node, report);
  return { node, config: proxyConfig, options, serviceCIDRs: serviceCIDRs ?? [] };
}

/**
 * Makes the model of one node from checked objects: defaults, allocation, endpoints, node facts, settings. `dialect`:
 * how its kube-proxy reads objects.
 */
export function resolveModel(
  manifests: Manifests,
  { node, config, options, serviceCIDRs }: ResolvedTarget,
  dialect: Pick<PlanDialect, 'hidingLabels' | 'sortsSlices'>,
  report: Report,
  memory?: ResolveMemory,
): ResolvedModel {
  const hiding = hidingLabels[dialect.hidingLabels];
  const services = resolveServices(manifests.services, options, hiding, report, memory);
  const pods = options.assumesPods ? assumePods(manifests, node, options, report) : manifests.pods;
  const servicePorts = resolveServicePorts(
    services,
    { ...manifests, pods: options.seen ? manifests.pods : pods },
    node.name,
    { ...options, mode: config.mode, hiding, sortsSlices: dialect.sortsSlices },
    report,
    memory,
  );
  const { cpus = defaultCpus, otherEndpoints } = options;
  const model = { node, config, servicePorts, cpus, serviceCIDRs, ...(otherEndpoints && { otherEndpoints }) };
  return { model, pods, withoutRules: servicesWithoutRules(manifests.services, hiding) };
}

/** A flag may select a mode for which a required name is missing; a configuration file alone was checked before. */
function reportDetector({ detectLocal }: ProxyConfig, options: TargetOptions, report: Report): void {
  if (options.detectLocalMode === undefined) return;
  const missing =
    (detectLocal.kind === 'bridgeInterface' && detectLocal.name === '' && '--bridge-interface') ||
    (detectLocal.kind === 'interfaceNamePrefix' && detectLocal.prefix === '' && '--pod-interface-name-prefix');
  if (!missing) return;
  report({
    code: 'bad-option',
    severity: 'error',
    message: `--detect-local-mode ${options.detectLocalMode} needs a name`,
    at: [],
    hint: `give ${missing}, or the field of detectLocal in the configuration`,
  });
}

/**
 * With detectLocalMode NodeCIDR kube-proxy waits for the Pod range of its Node, and exits if none has its own family.
 */
function reportPodRange({ name, podCIDRs, primaryFamily }: NodeFacts, report: Report): void {
  const hasRange = podCIDRs.some((cidr) => parseCidr(cidr)?.family === primaryFamily);
  if (hasRange) return;
  const family = familyNames[primaryFamily];
  report({
    code: 'node-without-pod-range',
    severity: 'warning',
    message: `Node ${JSON.stringify(name)} has no ${family} Pod range here: with detectLocalMode NodeCIDR kube-proxy ends without one, and these rules tell no Pods`,
    at: [],
    hint: 'give the Node with spec.podCIDRs: kubectl get nodes -o yaml',
  });
}
