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

/** Who serves a kind. */
export type PolicyServer = 'Calico' | 'Cilium' | 'Antrea';

/**
 * The kinds besides NetworkPolicy that let connections pass or stop them, by their API group. Calico serves its own both as
 * `projectcalico.org` and, as the objects are stored, as `crd.projectcalico.org`; what is staged there decides nothing.
 */
export const policyKinds: Readonly<
  Record<string, { readonly server: PolicyServer; readonly kinds: readonly string[] }>
> = {
  'cilium.io': { server: 'Cilium', kinds: ['CiliumNetworkPolicy', 'CiliumClusterwideNetworkPolicy'] },
  'projectcalico.org': { server: 'Calico', kinds: ['NetworkPolicy', 'GlobalNetworkPolicy'] },
  'crd.projectcalico.org': { server: 'Calico', kinds: ['NetworkPolicy', 'GlobalNetworkPolicy'] },
  'crd.antrea.io': { server: 'Antrea', kinds: ['NetworkPolicy', 'ClusterNetworkPolicy'] },
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
  if (!known?.kinds.includes(kind)) return undefined;
  const { name, namespace } = (value.metadata ?? {}) as { readonly name?: unknown; readonly namespace?: unknown };
  const isNamespaced = !isForCluster(kind);
  const metadata = {
    name: typeof name === 'string' ? name : '',
    ...(isNamespaced && { namespace: typeof namespace === 'string' && namespace !== '' ? namespace : 'default' }),
  };
  return { value: { kind, server: known.server, metadata }, origin };
}

function isForCluster(kind: string): boolean {
  return kind !== 'NetworkPolicy' && kind !== 'CiliumNetworkPolicy';
}
