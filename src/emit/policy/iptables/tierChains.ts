import type { Family } from '../../../common/addresses/family.ts';
import type { ClusterPolicy, ClusterTier } from '../../../model/clusterPolicy.ts';
import type { Direction } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import type { Rule, Target, Word } from '../../../netfilter/iptables/ast.ts';
import { from, jumpTo, to } from '../../../netfilter/iptables/print/builders.ts';
import { clusterNetRule } from '../../../policy/cluster/clusterNetRule.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { ruleResolver } from '../../../policy/rules/resolveRule.ts';
import { allowWords } from './allowWords.ts';
import { comment, hasAllowed, lacksAllowed, rule, setAllowed } from './builders.ts';
import type { NetpolNames, TierChainName } from './netpolNames.ts';
import { type AddressSet, ruleAllows, setCollector } from './policyAllows.ts';

/** The chains of cluster-wide policies, and what leads a pod's traffic into them. */
export interface TierChains {
  readonly sets: readonly AddressSet[];
  readonly names: readonly string[];
  readonly rules: readonly Rule[];
  /** From the chain of a pod with this address. Empty: no policy of the tier is about it. */
  readonly entrance: (pod: PolicyPod, ip: string, tier: ClusterTier, direction: Direction) => readonly Rule[];
}

/**
 * A chain for every list of policies of a tier that some pod is under, with their rules in order. What it accepts gets the
 * mark that says "allowed" and asks no further policy, what it denies ends there, and what it passes returns without the
 * mark. The Admin tier is asked in front of NetworkPolicies, which only add the mark; the Baseline tier where none of them
 * isolates the pod and the mark is not there yet.
 */
export function tierChains(
  node: NodePolicies,
  family: Family,
  names: NetpolNames,
  podChain: (pod: PolicyPod) => string,
  denial: readonly DenialRule[],
): TierChains {
  const resolve = ruleResolver(node.model, node.selection, family);
  const { sets, add } = setCollector(names);
  const chains = new Map<string, readonly Rule[]>();

  const chainOf = (policies: readonly ClusterPolicy[], tier: ClusterTier, direction: Direction): TierChainName => {
    const ids = policies.map(({ id }) => id);
    const name = names.tierChain(tier, direction, ids);
    if (chains.has(name.chain)) return name;
    const rules: Rule[] = [];
    for (const policy of policies) {
      const subjects = direction === 'egress' ? [] : node.selection.peers(policy, policy.subject);
      for (const [index, each] of policy[direction].entries()) {
        const resolved = resolve(policy, direction, clusterNetRule(node.model, each), subjects);
        for (const allow of ruleAllows(resolved, { direction, family, own: undefined, add })) {
          const tag = allow.tag.slice(direction.length + 1);
          const said = `${policy.apiKind}/${policy.name} ${direction}[${index}] ${each.action.toLowerCase()} ${tag}`;
          const words = allowWords({ ...allow, tag: said });
          const isIn = (target: Target, more: readonly Word[] = []) => rule(name.chain, [...words, ...more], target);
          if (each.action === 'Accept') rules.push(isIn(setAllowed), isIn(jumpTo('RETURN'), [hasAllowed]));
          if (each.action === 'Pass') rules.push(isIn(jumpTo('RETURN')));
          if (each.action === 'Deny') for (const { words: more, target } of denial) rules.push(isIn(target, more));
        }
      }
    }
    chains.set(name.chain, rules);
    return name;
  };

  return {
    get sets() {
      return [...sets.values()];
    },
    get names() {
      return [...chains.keys()];
    },
    get rules() {
      return [...chains.values()].flat();
    },
    entrance: (pod, ip, tier, direction) => {
      const policies = node.clusterPoliciesOf(pod, direction).filter((policy) => policy.tier === tier);
      if (policies.length === 0) return [];
      const { chain, label } = chainOf(policies, tier, direction);
      const side = direction === 'ingress' ? to(ip) : from(ip);
      return [rule(podChain(pod), [side, comment(`${label} policy`), lacksAllowed], jumpTo(chain))];
    },
  };
}

/** A rule that denies, without what says whom. */
export interface DenialRule {
  readonly words: readonly Word[];
  readonly target: Target;
}
