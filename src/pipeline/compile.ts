import type { Family } from '../common/addresses/family.ts';
import { onDemand } from '../common/onDemand.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { isNodePortWord, type NodePortWord } from '../common/text/nodePortWord.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { dialectOf } from '../dialect/dialectOf.ts';
import { reportGates } from '../dialect/gates/reportGates.ts';
import { newestVersion } from '../dialect/newestVersion.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import { reportVersion } from '../dialect/reportVersion.ts';
import { formatKubeVersion, type KubeVersion, parseKubeVersion } from '../dialect/version.ts';
import { type HostPort, hostPortsOf } from '../model/hostPortsOf.ts';
import type { Model } from '../model/model.ts';
import type { PolicyManifests, PolicyPod } from '../model/policyModel.ts';
import { unlistedPods } from '../model/unlistedPods.ts';
import type { SearchEndpoints } from '../node/chains/endpointSearch.ts';
import { createPlan } from '../plan/createPlan.ts';
import type { Plan } from '../plan/plan.ts';
import { areReadByVersion } from '../resolve/areReadByVersion.ts';
import { assumeEmptyLabels } from '../resolve/assumed/assumeEmptyLabels.ts';
import { resolveModel, resolveTarget } from '../resolve/resolveModel.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import { checking } from './checking.ts';
import { type Checked, checkObjects, type ObjectInput } from './checkObjects.ts';
import type { Sharing, Written } from './sharing.ts';

/** What is compiled, and how it is compiled for one node. */
export interface CompileInput extends ObjectInput {
  /** Names the node where neither the target nor the configuration does. */
  readonly chooseNode?: ((manifests: Manifests) => string | undefined) | undefined;
  /** The version that rules of a node show, taken where neither the input nor the Node names one. */
  readonly shownVersion?: ((mode: ProxyMode) => KubeVersion | undefined) | undefined;
  /** Decides what objects leave open, before anything is planned. */
  readonly settle?: ((model: Model) => Model) | undefined;
  /** For runs that cover several nodes. */
  readonly sharing?: Sharing | undefined;
  readonly search?: SearchEndpoints | undefined;
}

/** Everything that is known before rules are printed. */
export interface Compiled {
  /** The input of NetworkPolicy; the objects of Services are released here, since they are most of a run's memory. */
  readonly policyManifests: PolicyManifests;
  /** Endpoints that policies are about, and that no Pod of the input has. */
  readonly unlistedPods: readonly PolicyPod[];
  readonly given: Given;
  /** Services that get no rules, by `namespace/name`, with the reason: `headless, DNS names the Pods`. */
  readonly withoutRules: ReadonlyMap<string, string>;
  /** Requested by Pods on the node. */
  readonly hostPorts: readonly HostPort[];
  readonly model: Model;
  readonly dialect: Dialect;
  readonly kubeVersion: KubeVersion;
  /** The version was requested, or the Node has it: a dump from another one is a fault. */
  readonly isVersionKnown: boolean;
  /** A flag or kube-proxy's configuration says the mode, or rules of the node show it: otherwise it is the default. */
  readonly isModeKnown: boolean;
  /**
   * As another version of kube-proxy reads the objects, where that makes a difference, nobody named the version, and the rules
   * of a node may show it.
   */
  readonly readAs?: ((dialect: PlanDialect) => ReadObjects) | undefined;
  /** Those that kube-proxy serves on the node, IPv4 first. */
  readonly families: readonly Family[];
  /** One for each family, decided on first use: a walk of a dump uses none. */
  readonly plans: readonly Plan[];
  /** What was written before: for other nodes, or an earlier state of the objects. */
  readonly written?: Written;
}

/** What objects say, as one version of kube-proxy reads them. */
export type ReadObjects = Pick<Compiled, 'model' | 'withoutRules'>;

/** The size of the input. */
export interface Given {
  /** Including headless ones. */
  readonly services: number;
  /** Of all kinds that are read. */
  readonly objects: number;
}

/**
 * From objects to plans. Problems are reported; after an error nothing is returned, and the later phases are skipped,
 * so no problem is reported twice in different words.
 */
export function compile(input: CompileInput, report: Report): Compiled | undefined {
  const checked = (input.sharing?.checkObjects ?? checkObjects)(input, report);
  return checked && compileChecked(checked, input, report);
}

/** The second half, for one node: for several nodes of one input it is called for each. */
export function compileChecked(
  { manifests, config }: Checked,
  input: Pick<CompileInput, 'target' | 'kubeVersion' | 'shownVersion' | 'chooseNode' | 'settle' | 'sharing'>,
  report: Report,
): Compiled | undefined {
  const { target: asked, kubeVersion: version, shownVersion, chooseNode, settle, sharing } = input;
  const checked = checking(report);
  const node = asked.node || config.hostnameOverride ? undefined : chooseNode?.(manifests);
  const target = node === undefined ? asked : { ...asked, node };
  const resolved = resolveTarget(manifests, config, target, checked.report);
  const { mode } = resolved.config;
  const known = version ?? parseKubeVersion(resolved.node.version);
  const kubeVersion = known ?? shownVersion?.(mode) ?? newestVersion();
  const gates = resolved.config.featureGates;
  reportVersion(kubeVersion, mode, checked.report);
  reportGates(gates, { mode, isConfigured: target.mode === undefined }, kubeVersion, checked.report);
  if (checked.hasErrors()) return undefined;
  const dialect = dialectOf(mode, kubeVersion, gates);
  const read = (plan: PlanDialect, say: Report) => {
    const { model, ...more } = resolveModel(manifests, resolved, plan, say, sharing?.resolved);
    return { model: settle?.(model) ?? model, ...more };
  };
  const { model, pods, withoutRules } = read(dialect.plan, checked.report);
  if (checked.hasErrors()) return undefined;
  const word = refusedWord(model.config.nodePortAddresses, dialect.plan.nodePortWords);
  if (word !== undefined) {
    reportWord(word, kubeVersion, report);
    return undefined;
  }
  const { passesThroughProxy, servesBothFamilies } = modeFacts[mode];
  if (passesThroughProxy && loopback.has(model.config.userspace.bindAddress)) {
    reportLocalhost(model.config.userspace.bindAddress, report);
    return undefined;
  }
  const families = servesBothFamilies ? familiesOf(target) : [model.node.primaryFamily];
  const decided = onDemand({
    plans: () => families.map((family) => createPlan(model, family, dialect.plan, sharing?.planned)),
  });
  const { networkPolicies, clusterPolicies, otherPolicies, namespaces, nodes } = manifests;
  const policyObjects = { networkPolicies, clusterPolicies, namespaces, pods, nodes, otherPolicies };
  const policyManifests = assumeEmptyLabels(policyObjects, target);
  const given = { services: manifests.services.length, objects: countOf(manifests) };
  const hostPorts = hostPortsOf(pods, manifests, model.node);
  return {
    policyManifests,
    unlistedPods: unlistedPods({ ...manifests, pods }, target.assumesEmptyLabels),
    given,
    withoutRules,
    hostPorts,
    model,
    dialect,
    kubeVersion,
    isVersionKnown: known !== undefined,
    isModeKnown: Boolean(target.mode ?? config.mode),
    ...(known === undefined &&
      shownVersion !== undefined &&
      areReadByVersion(manifests) && { readAs: (plan) => read(plan, () => undefined) }),
    families,
    get plans() {
      return decided.plans;
    },
    ...(sharing?.written && { written: sharing.written }),
  };
}

function countOf({ otherPolicies: _, ...manifests }: Manifests): number {
  return Object.values(manifests).reduce((sum, list: readonly unknown[]) => sum + list.length, 0);
}

const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);

function reportLocalhost(address: string, report: Report): void {
  report({
    code: 'proxy-on-localhost',
    severity: 'error',
    message: `kube-proxy does not proxy on ${address}: nothing from elsewhere would reach it`,
    at: [],
    hint: 'leave --bind-address out, or give an address of the node',
  });
}

/** For an option; in a configuration it was refused before. */
/** A word in nodePortAddresses that the version does not accept there. */
function refusedWord(given: readonly string[], words: 'none' | 'primaryAlone' | 'any'): NodePortWord | undefined {
  if (words === 'any' || (words === 'primaryAlone' && given.length === 1 && given[0] === 'primary')) return undefined;
  const all = given.filter(isNodePortWord);
  return all.find((word) => word !== 'primary') ?? all[0];
}

function reportWord(word: NodePortWord, kubeVersion: KubeVersion, report: Report): void {
  report({
    code: 'bad-option',
    severity: 'error',
    message: `kube-proxy ${formatKubeVersion(kubeVersion)} does not take "${word}" as nodePortAddresses`,
    at: [],
    hint: 'kube-proxy takes "primary" alone since 1.31, and "primary", "localhost" and "all" in any mixture since 1.37',
  });
}

function familiesOf(target: TargetOptions): readonly Family[] {
  return target.family === 'ipv4' || target.family === 'ipv6' ? [target.family] : ['ipv4', 'ipv6'];
}
