import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';
import { podSelection } from './parties/podSelection.ts';

/** What the policies of the input mean for one node: the ground on which rules may be written, or not. */
export interface PolicyCoverage {
  /** Undefined: the rules are for all Pods of the input. */
  readonly node: string | undefined;
  /** A Node or a Pod of the input has this name, or no node is asked for. */
  readonly isNodeKnown: boolean;
  /** All policies of the input. */
  readonly policies: number;
  /** Those that select a Pod of this node. */
  readonly selecting: number;
  /** Pods of this node that rules can be for: on no host network, and with an address. */
  readonly pods: number;
  /** Those of them that a policy selects. */
  readonly selected: number;
  /**
   * Pods that a policy selects, that run here or on an unknown node, and that have no address in the input: no rule can
   * protect them. Pods that wait for an address do not count.
   */
  readonly withoutAddress: readonly string[];
  /** Of any node. */
  readonly podsInAll: number;
}

export function policyCoverage(model: PolicyModel, node: string | undefined): PolicyCoverage {
  const isHere = (pod: PolicyPod) => node === undefined || pod.node === undefined || pod.node === node;
  // Pods that wait for a node or an address count as well: they are what a repository's manifests have.
  const selection = podSelection(model, (pod) => !pod.isHostNetwork && isHere(pod));
  const selected = new Set<PolicyPod>();
  let selecting = 0;
  for (const policy of model.policies) {
    const own = selection.selectedBy(policy);
    if (own.some(hasAddress)) selecting += 1;
    for (const pod of own) selected.add(pod);
  }
  for (const policy of model.clusterPolicies) {
    const own = selection.peers(policy, policy.subject);
    if (own.some(hasAddress)) selecting += 1;
    for (const pod of own) selected.add(pod);
  }
  const candidates = model.pods.filter((pod) => !pod.isHostNetwork && isHere(pod));
  return {
    node,
    isNodeKnown:
      node === undefined ||
      model.nodes.some(({ name }) => name === node) ||
      model.pods.some((pod) => pod.node === node) ||
      candidates.some((pod) => pod.node === undefined),
    policies: model.policies.length + model.clusterPolicies.length,
    selecting,
    pods: candidates.filter(hasAddress).length,
    selected: [...selected].filter(hasAddress).length,
    withoutAddress: [...selected].filter(({ hasKnownAddress }) => !hasKnownAddress).map(({ id }) => id),
    podsInAll: model.pods.length,
  };
}

function hasAddress({ ips }: PolicyPod): boolean {
  return ips.length > 0;
}
