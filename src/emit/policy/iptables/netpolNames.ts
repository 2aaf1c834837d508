import { type Family, familyNames } from '../../../common/addresses/family.ts';
import { base32Prefix } from '../../../common/base32.ts';
import type { Direction, NetPolicy } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import { localPodsSet, policyPrefixes } from '../../../netfilter/policyParts.ts';

/**
 * `kube-router`: what kube-router 2.11 writes, for auditing its nodes, faults included. `strict`: the same shape without
 * them.
 */
export type PolicyLayout = 'strict' | 'kube-router';

/** Names of chains and sets. kube-router hashes their parts without a mark between: `ab/c` and `a/bc` share a name. */
export interface NetpolNames {
  readonly podChain: (pod: PolicyPod) => string;
  /** `strict`: a policy of both directions has a chain for each. */
  readonly policyChain: (policy: NetPolicy, direction: Direction) => string;
  /** `strict`: the chain of one tier of cluster-wide policies, for the pods that all of them are about, and its label. */
  readonly tierChain: (tier: string, direction: Direction, ids: readonly string[]) => TierChainName;
  /**
   * `strict`: a set is called after what it holds, so that chains of one rule set never look into a set of another,
   * however far a change of rule sets has come.
   */
  readonly ofContents: (side: NetpolSetSide, type: string, members: readonly string[]) => string;
  /** kube-router: sets are called after what they are for. The pods that the policy selects. */
  readonly selected: (policy: NetPolicy, direction: Direction) => string;
  readonly peers: (policy: NetPolicy, direction: Direction, rule: number, kind: 'pod' | 'ipblock') => string;
  readonly namedPort: (policy: NetPolicy, direction: Direction, rule: number, port: number) => string;
  readonly localPods: string;
}

export interface TierChainName {
  readonly chain: string;
  /** Says in comments which one it is, whatever the sync version. */
  readonly label: string;
}

/** Which side of a packet a set is asked for. */
export type NetpolSetSide = 'SRC' | 'DST';

/** `version` changes chain names with every sync of kube-router; set names stay. */
export function netpolNames(layout: PolicyLayout, family: Family, version: string): NetpolNames {
  const separator = layout === 'strict' ? '/' : '';
  const familyName = familyNames[family];
  const hashed = (...parts: readonly string[]) => shortHash(parts.join(separator));
  const setPrefix = family === 'ipv4' ? '' : 'inet6:';
  const set = (side: NetpolSetSide, ...parts: readonly string[]) =>
    `${setPrefix}${policyPrefixes[side]}${hashed(...parts)}`;
  return {
    podChain: ({ namespace, name }) => `${policyPrefixes.pod}${hashed(namespace, name, version)}`,
    policyChain: ({ namespace, name, ingress, egress }, direction) => {
      const isSecond = layout === 'strict' && direction === 'egress' && ingress !== undefined && egress !== undefined;
      return `${policyPrefixes.policy}${hashed(namespace, name, version, familyName, ...(isSecond ? ['egress'] : []))}`;
    },
    tierChain: (tier, direction, ids) => ({
      chain: `${policyPrefixes.policy}${hashed(tier, ...ids, version, familyName, direction)}`,
      label: `${tier}/${shortHash([direction, ...ids].join('/'))}`,
    }),
    ofContents: (side, type, members) => set(side, type, familyName, [...members].sort().join('\n')),
    selected: ({ namespace, name }, direction) =>
      set(direction === 'ingress' ? 'DST' : 'SRC', namespace, name, familyName),
    peers: ({ namespace, name }, direction, rule, kind) =>
      set(direction === 'ingress' ? 'SRC' : 'DST', namespace, name, `${direction}rule`, String(rule), familyName, kind),
    namedPort: ({ namespace, name }, direction, rule, port) =>
      set('DST', namespace, name, `${direction}rule`, String(rule), String(port), familyName, 'namedport'),
    localPods: `${setPrefix}${localPodsSet}`,
  };
}

export function shortHash(text: string): string {
  return base32Prefix(text, 16);
}
