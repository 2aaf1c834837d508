import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { addTo } from '../common/addTo.ts';
import type { ClusterPolicy } from '../model/clusterPolicy.ts';
import type { Direction, NetPolicy } from '../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';
import { clusterPoliciesOfPods } from './cluster/clusterPoliciesOfPods.ts';
import { type PodSelection, podSelection } from './parties/podSelection.ts';
import { policiesOfPods } from './policiesOfPods.ts';

/** What a node has to enforce: its own pods, and the policies of each. Peers come from the whole cluster. */
export interface NodePolicies {
  readonly model: PolicyModel;
  readonly selection: PodSelection;
  /** Pods of this node that have an address of their own. */
  readonly localPods: readonly PolicyPod[];
  readonly policiesOf: (pod: PolicyPod, direction: Direction) => readonly NetPolicy[];
  /** The cluster-wide policies that have rules about a pod in a direction, in the order in which they are tried. */
  readonly clusterPoliciesOf: (pod: PolicyPod, direction: Direction) => readonly ClusterPolicy[];
  /** Addresses of local pods in a family, with their pods: mostly one. */
  readonly localAddresses: (family: Family) => ReadonlyMap<string, readonly PolicyPod[]>;
}

/** `node` undefined: every pod counts as local. Pods of which nobody knows the node count as local everywhere. */
export function nodePolicies(model: PolicyModel, node: string | undefined): NodePolicies {
  const selection = podSelection(model);
  const widePolicies = clusterPoliciesOfPods(model, selection);
  const localPods = model.pods.filter(
    (pod) =>
      !pod.isHostNetwork && pod.ips.length > 0 && (node === undefined || pod.node === undefined || pod.node === node),
  );
  return {
    model,
    selection,
    localPods,
    policiesOf: policiesOfPods(model, selection.selectedBy),
    clusterPoliciesOf: (pod, direction) => widePolicies(pod).filter((policy) => policy[direction].length > 0),
    localAddresses: (family) => {
      const byAddress = new Map<string, PolicyPod[]>();
      for (const pod of localPods) {
        for (const ip of pod.ips) {
          if (familyOf(ip) !== family) continue;
          addTo(byAddress, ip, pod);
        }
      }
      return byAddress;
    },
  };
}
