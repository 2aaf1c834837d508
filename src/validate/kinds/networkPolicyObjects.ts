import type { Labels, Maybe, ObjectMeta } from './objectMeta.ts';

/** `networking.k8s.io/v1`. */
export interface NetworkPolicyObject {
  readonly metadata: ObjectMeta;
  readonly spec?: Maybe<{
    readonly podSelector?: Maybe<LabelSelectorObject>;
    readonly policyTypes?: Maybe<readonly ('Ingress' | 'Egress')[]>;
    readonly ingress?: Maybe<
      readonly Maybe<{
        readonly from?: Maybe<readonly NetworkPolicyPeerObject[]>;
        readonly ports?: Maybe<readonly NetworkPolicyPortObject[]>;
      }>[]
    >;
    readonly egress?: Maybe<
      readonly Maybe<{
        readonly to?: Maybe<readonly NetworkPolicyPeerObject[]>;
        readonly ports?: Maybe<readonly NetworkPolicyPortObject[]>;
      }>[]
    >;
  }>;
}

export interface NetworkPolicyPeerObject {
  readonly podSelector?: Maybe<LabelSelectorObject>;
  readonly namespaceSelector?: Maybe<LabelSelectorObject>;
  readonly ipBlock?: Maybe<IpBlockObject>;
}

export interface IpBlockObject {
  readonly cidr: string;
  readonly except?: Maybe<readonly string[]>;
}

export interface NetworkPolicyPortObject {
  readonly protocol?: Maybe<'TCP' | 'UDP' | 'SCTP'>;
  readonly port?: Maybe<number | string>;
  readonly endPort?: Maybe<number>;
}

export interface LabelSelectorObject {
  readonly matchLabels?: Maybe<Labels>;
  readonly matchExpressions?: Maybe<
    readonly {
      readonly key: string;
      readonly operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist';
      readonly values?: Maybe<readonly string[]>;
    }[]
  >;
}
