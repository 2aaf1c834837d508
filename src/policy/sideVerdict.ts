import type { ClusterPolicy } from '../model/clusterPolicy.ts';
import type { NetPolicy } from '../model/netPolicy.ts';
import type { MissingFact } from './missing/missingFact.ts';

/** What one side of a connection says, and what decided it. */
export type SideVerdict = (AllowedSide | DeniedSide | UnknownSide) & {
  /** Rules of cluster-wide policies that passed the connection on before, in their order. */
  readonly passed?: readonly ClusterRuleMatch[];
};

type AllowedSide =
  /** `anyway`: facts are missing, and none of them could change it. `unmatched`: there are cluster-wide policies about it. */
  | {
      readonly kind: 'allowed';
      readonly why: 'notAPod' | 'self' | 'residentNode' | 'icmp' | 'notIsolated' | 'unmatched' | 'anyway';
    }
  /** Indices into the lists of the manifest; undefined: the rule has no such list and means everything. */
  | {
      readonly kind: 'allowed';
      readonly why: 'rule';
      readonly policy: NetPolicy;
      readonly rule: number;
      readonly peer: number | undefined;
      readonly port: number | undefined;
    }
  | ({ readonly kind: 'allowed'; readonly why: 'clusterRule' } & ClusterRuleMatch);

type DeniedSide =
  | {
      readonly kind: 'denied';
      readonly why: 'isolated';
      readonly policies: readonly NetPolicy[];
      readonly nearMisses: readonly NearMiss[];
    }
  | ({ readonly kind: 'denied'; readonly why: 'clusterRule' } & ClusterRuleMatch);

interface UnknownSide {
  readonly kind: 'unknown';
  /** Those that hang on the facts. */
  readonly policies: readonly (NetPolicy | ClusterPolicy)[];
  readonly facts: readonly MissingFact[];
  /** Rules of policies of equal priority that all match and disagree: a cluster may take either. */
  readonly ties: readonly (readonly ClusterRuleMatch[])[];
}

/** A rule of a cluster-wide policy that covers a connection. */
export interface ClusterRuleMatch {
  readonly policy: ClusterPolicy;
  readonly rule: number;
  readonly peer: number | undefined;
  readonly port: number | undefined;
}

/** A rule that half matches: what a user who expected it to allow wants to see. */
export interface NearMiss {
  readonly policy: NetPolicy;
  readonly rule: number;
  readonly misses: 'peer' | 'port';
}
