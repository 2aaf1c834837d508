import { usualNodePorts } from '../common/addresses/portRange.ts';
import { columnsOf } from '../common/proxy/endpointColumns.ts';
import type { Origin, Report } from '../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../diagnostics/objectDiagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import { checkSchema } from './fields/checkSchema.ts';
import type { Complain } from './fields/complain.ts';
import { quote } from './fields/quote.ts';
import { judgeKind, type KindVerdict } from './kinds/kinds.ts';
import type { KubeProxyConfigurationObject } from './kinds/kubeProxyConfigurationObject.ts';
import type { Manifest } from './kinds/manifest.ts';
import type { Manifests } from './kinds/manifests.ts';
import { otherPolicy } from './kinds/policyKinds.ts';
import { newestProxy } from './readingProxy.ts';
import { reportSkippedKinds } from './reportSkippedKinds.ts';
import { claimsOfRules, rules, rulesOfAll } from './rules.ts';
import type { SoundObject } from './soundObjects.ts';
import type { ValidateOptions } from './validateOptions.ts';
import { validateProxyConfiguration } from './validateProxyConfiguration.ts';

/** What is left of the input: the objects without errors. */
export interface Validated {
  readonly manifests: Manifests;
  /** A KubeProxyConfiguration among the objects. */
  readonly config: Manifest<KubeProxyConfigurationObject> | undefined;
  /** How many objects were skipped, by `kind`. */
  readonly skipped: ReadonlyMap<string, number>;
}

/**
 * Judges objects as the API server of Kubernetes 1.30 would: their form by schema, then their values, each and among
 * each other, by `rules`.
 */
export function validate(objects: readonly SourceObject[], report: Report, options: ValidateOptions = {}): Validated {
  const { proxy = newestProxy, unknownFields = 'warn', beside = [], takesLaterNames = false, sound } = options;
  const settings = { nodePortRange: options.nodePortRange ?? usualNodePorts, needsPortNames: beside.length === 0 };
  const refused = new Set<unknown>();
  /** Where the objects stand about which anything was said. */
  const named = new Set<Origin>();
  const complain: Complain = (subject, problem) => {
    named.add(subject.origin);
    const isTaken = takesLaterNames && problem.isTakenLater === true;
    const diagnostic = objectDiagnostic(subject.origin, isTaken ? { ...problem, severity: 'warning' } : problem);
    if (diagnostic.severity === 'error') refused.add(subject);
    report(diagnostic);
  };
  const lists = emptyLists();
  /** Those that are not known to be sound by themselves. */
  const open = emptyLists();
  const known = sound?.kept.pass();
  let hasKnown = false;
  const judged: (SoundObject & { readonly object: SourceObject })[] = [];
  const skipped: SourceObject[] = [];
  let config: Manifest<KubeProxyConfigurationObject> | undefined;

  for (const object of objects) {
    if (object.kind === 'KubeProxyConfiguration') {
      const own = validateProxyConfiguration(object, proxy, report, unknownFields);
      config = onlyConfig(config, own, complain);
      continue;
    }
    const earlier = known?.get(object);
    if (earlier !== undefined) {
      lists[earlier.list].push(earlier.manifest);
      hasKnown = true;
      continue;
    }
    const verdict = judgeKind(object.kind, object.apiVersion, beside);
    if (verdict.verdict === 'known') {
      const { list } = verdict.known;
      const isReadAhead = columnsOf(object.value) !== undefined;
      const isPolicy = list === 'networkPolicies' || list === 'clusterPolicies';
      const value = isReadAhead
        ? object.value
        : checkSchema(asServed(object), verdict.known, isPolicy ? 'strict' : unknownFields, complain);
      if (value === undefined) continue;
      const manifest = manifestOf(value, object);
      lists[list].push(manifest);
      if (!isReadAhead) open[list].push(manifest);
      judged.push({ object, manifest, list });
    } else if (verdict.verdict === 'skipped') {
      const other = otherPolicy(object);
      if (other !== undefined) for (const each of [lists, open]) each.otherPolicies.push(other);
      if (!isAllocation(object)) skipped.push(object);
    } else {
      complainAboutKind(object, verdict, complain);
    }
  }

  // The schemas, which the validators were made from, are what the types of manifests.ts say.
  const manifests = lists as unknown as Manifests;
  for (const rule of rules) {
    const claims = claimsOfRules.get(rule);
    const isSettled = claims !== undefined && hasKnown && sound?.claims.areAllDifferent(manifests, claims) === true;
    const isOfAll = rulesOfAll.has(rule) && !isSettled;
    rule(isOfAll ? manifests : (open as unknown as Manifests), complain, settings);
  }
  for (const { object, ...one } of judged) if (!named.has(object.origin)) known?.set(object, one);
  return {
    manifests: refused.size === 0 ? manifests : without(lists, refused),
    config,
    skipped: reportSkippedKinds(skipped, beside.length === 0, report),
  };
}

/**
 * Items of a typed list (`ServiceList`) take kind and apiVersion from it, and an empty namespace is none: what comes
 * later finds them in the object.
 */
function asServed(object: SourceObject): SourceObject {
  const { kind, apiVersion, value } = object;
  const isComplete = value.kind !== undefined && value.apiVersion !== undefined;
  const metadata = value.metadata as Readonly<Record<string, unknown>> | undefined;
  if (metadata?.namespace === '') {
    const { namespace: _, ...rest } = metadata;
    return { ...object, value: { ...value, kind, apiVersion, metadata: rest } };
  }
  return isComplete ? object : { ...object, value: { ...value, kind, apiVersion } };
}

/** Which Service has which cluster IP, as the API server keeps it since 1.33: the Service says it too. */
function isAllocation({ apiVersion, kind }: SourceObject): boolean {
  return kind === 'IPAddress' && apiVersion.startsWith('networking.k8s.io/');
}

function manifestOf(value: unknown, { origin, detail }: SourceObject): Manifest<unknown> {
  return { value, origin, ...(detail !== undefined && { detail }) };
}

type Lists = Record<keyof Manifests, Manifest<unknown>[]>;

function emptyLists(): Lists {
  return {
    services: [],
    endpoints: [],
    endpointSlices: [],
    nodes: [],
    pods: [],
    namespaces: [],
    serviceCIDRs: [],
    networkPolicies: [],
    clusterPolicies: [],
    otherPolicies: [],
    workloads: [],
    ingresses: [],
    secrets: [],
    configMaps: [],
    blockAffinities: [],
  };
}

function without(lists: Lists, left: ReadonlySet<unknown>): Manifests {
  const kept = Object.entries(lists).map(([kind, list]) => [kind, list.filter((manifest) => !left.has(manifest))]);
  return Object.fromEntries(kept) as unknown as Manifests;
}

function complainAboutKind(
  object: SourceObject,
  verdict: Extract<KindVerdict, { readonly verdict: 'misspelled' | 'wrong-version' }>,
  complain: Complain,
): void {
  const message = `no kind ${quote(object.kind)} in version ${quote(object.apiVersion)}`;
  if (verdict.verdict === 'misspelled') {
    const hint = verdict.meant === undefined ? {} : { hint: `did you mean ${verdict.meant}?` };
    complain(object, { code: 'unknown-kind', path: ['kind'], message, ...hint });
    return;
  }
  const since = verdict.known.retired[object.apiVersion];
  const served = verdict.known.apiVersions[0];
  complain(object, {
    code: 'unknown-api-version',
    path: ['apiVersion'],
    message: since === undefined ? message : `${message} since Kubernetes ${since}`,
    hint: since === undefined ? `did you mean ${served}?` : `use ${served}, and check the fields that changed`,
  });
}

function onlyConfig(
  first: Manifest<KubeProxyConfigurationObject> | undefined,
  next: Manifest<KubeProxyConfigurationObject> | undefined,
  complain: Complain,
): Manifest<KubeProxyConfigurationObject> | undefined {
  if (first === undefined || next === undefined) return first ?? next;
  complain(next, {
    code: 'duplicate-object',
    path: ['kind'],
    message: 'there is another KubeProxyConfiguration; a node has one',
    also: [first.origin],
  });
  return first;
}
