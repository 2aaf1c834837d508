import { didYouMean } from '../../common/text/didYouMean.ts';
import type { KindSchema } from '../fields/checkSchema.ts';
import * as validators from '../validators.generated.mjs';
import type { Manifests } from './manifests.ts';

/** A kind that is read: where it may come from, and what checks and collects its objects. */
export interface KnownKind extends KindSchema {
  readonly kind: string;
  readonly apiVersions: readonly string[];
  /** Versions that were served once, with the Kubernetes version that dropped them. */
  readonly retired: Readonly<Record<string, string>>;
  readonly list: keyof Manifests;
}

/** What a kind is to us: read, skipped, or written wrongly. */
export type KindVerdict =
  | { readonly verdict: 'known'; readonly known: KnownKind }
  | { readonly verdict: 'skipped' }
  | { readonly verdict: 'misspelled'; readonly meant: string | undefined }
  | { readonly verdict: 'wrong-version'; readonly known: KnownKind };

/**
 * Judges an object by its kind and apiVersion; `beside` are the kinds that are read besides those of rules. Other API groups have kinds of the same names (Knative's Service,
 * Calico's NetworkPolicy): those are skipped like any kind that is not read.
 */
export function judgeKind(kind: string, apiVersion: string, beside: readonly KnownKind[] = []): KindVerdict {
  const known = knownKinds.get(kind) ?? beside.find((other) => other.kind === kind);
  if (known === undefined) {
    const meant =
      (isOwnGroup(apiVersion) ? exactKinds.get(kind.toLowerCase()) : undefined) ?? nearest(kind, apiVersion);
    return meant !== undefined || isOfPolicies(apiVersion) ? { verdict: 'misspelled', meant } : { verdict: 'skipped' };
  }
  if (known.apiVersions.includes(apiVersion)) return { verdict: 'known', known };
  return isOwnGroup(apiVersion) ? { verdict: 'wrong-version', known } : { verdict: 'skipped' };
}

/** A kind of the same group and version that is written much alike: no API server has two of them. */
function nearest(kind: string, apiVersion: string): string | undefined {
  return didYouMean(
    kind,
    table.flatMap((known) => (known.apiVersions.includes(apiVersion) ? [known.kind] : [])),
  );
}

/** All kinds of this group are known: another name is a mistake, and traffic that it should deny would be open. */
function isOfPolicies(apiVersion: string): boolean {
  return apiVersion.startsWith('policy.networking.k8s.io/');
}

/** A group of Kubernetes itself: `v1`, `apps/v1`, `discovery.k8s.io/v1`. */
function isOwnGroup(apiVersion: string): boolean {
  const slash = apiVersion.lastIndexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  return !group.includes('.') || (group.endsWith('.k8s.io') && !group.endsWith('x-k8s.io'));
}

const legacyApps = ['apps/v1', 'apps/v1beta2', 'apps/v1beta1', 'extensions/v1beta1'] as const;

function entry(kind: string, apiVersion: string, list: keyof Manifests, validator: validators.Validator): KnownKind {
  const { fields } = validators;
  return { kind, apiVersions: [apiVersion], retired: {}, list, schema: kind.toLowerCase(), validator, fields };
}

/** The pod template is the same in every version of a workload, so old ones are read too. */
function workload(kind: string, apiVersions: readonly string[]): KnownKind {
  return { ...entry(kind, '', 'workloads', validators.workload), apiVersions, schema: 'workload' };
}

const clusterPolicyV1alpha1 = 'policy.networking.k8s.io/v1alpha1';

const table: readonly KnownKind[] = [
  entry('Service', 'v1', 'services', validators.service),
  entry('Endpoints', 'v1', 'endpoints', validators.endpoints),
  {
    ...entry('EndpointSlice', 'discovery.k8s.io/v1', 'endpointSlices', validators.endpointslice),
    retired: { 'discovery.k8s.io/v1beta1': '1.25', 'discovery.k8s.io/v1alpha1': '1.20' },
  },
  entry('Node', 'v1', 'nodes', validators.node),
  entry('Pod', 'v1', 'pods', validators.pod),
  entry('Namespace', 'v1', 'namespaces', validators.namespace),
  {
    ...entry('ServiceCIDR', '', 'serviceCIDRs', validators.servicecidr),
    apiVersions: ['networking.k8s.io/v1', 'networking.k8s.io/v1beta1'],
    retired: { 'networking.k8s.io/v1alpha1': '1.34' },
  },
  {
    ...entry('NetworkPolicy', 'networking.k8s.io/v1', 'networkPolicies', validators.networkpolicy),
    retired: { 'extensions/v1beta1': '1.16' },
  },
  entry('AdminNetworkPolicy', clusterPolicyV1alpha1, 'clusterPolicies', validators.adminnetworkpolicy),
  entry('BaselineAdminNetworkPolicy', clusterPolicyV1alpha1, 'clusterPolicies', validators.baselineadminnetworkpolicy),
  entry(
    'ClusterNetworkPolicy',
    'policy.networking.k8s.io/v1alpha2',
    'clusterPolicies',
    validators.clusternetworkpolicy,
  ),
  workload('Deployment', legacyApps),
  workload('StatefulSet', legacyApps),
  workload('DaemonSet', legacyApps),
  workload('ReplicaSet', legacyApps),
  workload('ReplicationController', ['v1']),
  workload('Job', ['batch/v1']),
];

const knownKinds: ReadonlyMap<string, KnownKind> = new Map(table.map((known) => [known.kind, known]));

/** Kinds by their name in lower case; KubeProxyConfiguration is read elsewhere, but misspelled as easily. */
const exactKinds: ReadonlyMap<string, string> = new Map(
  [...knownKinds.keys(), 'KubeProxyConfiguration'].map((kind) => [kind.toLowerCase(), kind]),
);
