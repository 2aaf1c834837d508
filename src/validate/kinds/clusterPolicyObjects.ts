import type { LabelSelectorObject } from './networkPolicyObjects.ts';
import type { ObjectMeta } from './objectMeta.ts';

/** The policies of `policy.networking.k8s.io`, which hold for the whole cluster. */
export type ClusterPolicyObject =
  | AdminNetworkPolicyObject
  | BaselineAdminNetworkPolicyObject
  | ClusterNetworkPolicyObject;

/** v1alpha1. */
export interface AdminNetworkPolicyObject {
  readonly kind: 'AdminNetworkPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: ClusterPolicySpecObject<AdminRuleObject> & { readonly priority: number };
}

/** v1alpha1: one a cluster, called `default`. */
export interface BaselineAdminNetworkPolicyObject {
  readonly kind: 'BaselineAdminNetworkPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: ClusterPolicySpecObject<AdminRuleObject>;
}

/** v1alpha2. */
export interface ClusterNetworkPolicyObject {
  readonly kind: 'ClusterNetworkPolicy';
  readonly metadata: ObjectMeta;
  readonly spec: ClusterPolicySpecObject<ClusterRuleObject> & {
    readonly tier: 'Admin' | 'Baseline';
    readonly priority: number;
  };
}

interface ClusterPolicySpecObject<Rule> {
  readonly subject: ClusterSubjectObject;
  readonly ingress?: readonly (Rule & { readonly from: readonly ClusterPeerObject[] })[];
  readonly egress?: readonly (Rule & { readonly to: readonly ClusterPeerObject[] })[];
}

/** Exactly one field is there. */
export interface ClusterSubjectObject {
  readonly namespaces?: LabelSelectorObject;
  readonly pods?: NamespacedPodObject;
}

interface NamespacedPodObject {
  readonly namespaceSelector: LabelSelectorObject;
  readonly podSelector: LabelSelectorObject;
}

/** Exactly one field is there; ingress rules have only the first two. */
export interface ClusterPeerObject extends ClusterSubjectObject {
  readonly networks?: readonly string[];
  /** Of the experimental channel. */
  readonly nodes?: LabelSelectorObject;
  /** Of the experimental channel. */
  readonly domainNames?: readonly string[];
}

interface NamedRuleObject {
  readonly name?: string;
}

export interface AdminRuleObject extends NamedRuleObject {
  /** A BaselineAdminNetworkPolicy cannot pass. */
  readonly action: 'Allow' | 'Deny' | 'Pass';
  readonly ports?: readonly AdminPortObject[];
}

/** Exactly one field is there. */
export interface AdminPortObject {
  readonly portNumber?: { readonly protocol?: Transport; readonly port: number };
  readonly portRange?: { readonly protocol?: Transport; readonly start: number; readonly end: number };
  /** Of the experimental channel. */
  readonly namedPort?: string;
}

export interface ClusterRuleObject extends NamedRuleObject {
  readonly action: 'Accept' | 'Deny' | 'Pass';
  readonly protocols?: readonly ClusterProtocolObject[];
}

/** Exactly one field is there. */
export interface ClusterProtocolObject {
  readonly tcp?: DestinationObject;
  readonly udp?: DestinationObject;
  readonly sctp?: DestinationObject;
  readonly destinationNamedPort?: string;
}

interface DestinationObject {
  /** Exactly one field is there. */
  readonly destinationPort?: {
    readonly number?: number;
    readonly range?: { readonly start: number; readonly end: number };
  };
}

type Transport = 'TCP' | 'UDP' | 'SCTP';
