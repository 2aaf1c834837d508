import type { SourceObject } from '../../load/sourceObject.ts';
import type { Manifest } from './manifest.ts';
import type { ObjectMeta } from './objectMeta.ts';

/** A policy of a kind that is not read: that there is one, and whom it can be about at most. */
export interface OtherPolicyObject {
  readonly kind: string;
  readonly server: PolicyServer;
  /** Without a namespace it is about the whole cluster. */
  readonly metadata: ObjectMeta;
}

/** Who serves a kind: the program, or where it is not known the API group. */
export type PolicyServer = 'Calico' | 'Cilium' | 'Antrea' | 'OVN-Kubernetes' | `${string}.${string}`;

/**
 * The kinds besides NetworkPolicy that let connections pass or stop them, by their API group; a cluster is asked for these. Calico serves its own both as
 * `projectcalico.org` and, as the objects are stored, as `crd.projectcalico.org`; what is staged there decides nothing.
 */
export const policyKinds: Readonly<
  Record<string, { readonly server: PolicyServer; readonly kinds: readonly string[] }>
> = {
  'cilium.io': { server: 'Cilium', kinds: ['CiliumNetworkPolicy', 'CiliumClusterwideNetworkPolicy'] },
  'projectcalico.org': { server: 'Calico', kinds: ['NetworkPolicy', 'GlobalNetworkPolicy'] },
  'crd.projectcalico.org': { server: 'Calico', kinds: ['NetworkPolicy', 'GlobalNetworkPolicy'] },
  'crd.antrea.io': { server: 'Antrea', kinds: ['NetworkPolicy', 'ClusterNetworkPolicy'] },
  'k8s.ovn.org': { server: 'OVN-Kubernetes', kinds: ['EgressFirewall'] },
  'security.antrea.tanzu.vmware.com': { server: 'Antrea', kinds: ['NetworkPolicy', 'ClusterNetworkPolicy'] },
};

/** Undefined: the object is not a policy of another kind. */
export function otherPolicy({
  kind,
  apiVersion,
  value,
  origin,
}: SourceObject): Manifest<OtherPolicyObject> | undefined {
  const group = apiVersion.slice(0, Math.max(0, apiVersion.lastIndexOf('/')));
  const known = Object.hasOwn(policyKinds, group) ? policyKinds[group] : undefined;
  const server = known?.kinds.includes(kind) ? known.server : serverOf(kind, group);
  if (server === undefined) return undefined;
  const { name, namespace } = (value.metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  const own = typeof namespace === 'string' && namespace !== '' ? namespace : defaultNamespace(kind);
  const isForCluster = own === undefined || /Global|Cluster|Admin/.test(kind);
  const metadata = { name: typeof name === 'string' ? name : '', ...(!isForCluster && { namespace: own }) };
  return { value: { kind, server, metadata }, origin };
}

/**
 * Other groups have policies too (`FQDNNetworkPolicy`, a misspelled group): their name says that they decide about
 * packets. Those of `k8s.cni.cncf.io` are about additional networks of a Pod, which are outside the question.
 */
function serverOf(kind: string, group: string): PolicyServer | undefined {
  const isPolicy = kind.endsWith('NetworkPolicy') && !kind.startsWith('Staged') && group !== 'k8s.cni.cncf.io';
  return isPolicy && isDotted(group) ? group : undefined;
}

function isDotted(group: string): group is `${string}.${string}` {
  return group.includes('.');
}

/** Undefined: nobody knows whether the kind has namespaces, so that it may be about the whole cluster. */
function defaultNamespace(kind: string): string | undefined {
  return ['NetworkPolicy', 'CiliumNetworkPolicy', 'EgressFirewall'].includes(kind) ? 'default' : undefined;
}
