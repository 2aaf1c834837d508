import { allOf } from '../../common/ternary.ts';
import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { findBest } from '../findBest.ts';
import { isPort } from '../isPort.ts';
import type { Party } from '../parties/party.ts';
import { peerTest } from '../parties/peerTest.ts';
import type { PodSelection } from '../parties/podSelection.ts';
import type { Side } from '../policyFlow.ts';
import { clusterPoliciesOfPods } from './clusterPoliciesOfPods.ts';
import type { ClusterView } from './clusterTiers.ts';
import { missingClusterFacts } from './missingClusterFacts.ts';

/** The effect of cluster-wide policies on one side: their subjects, and which of their rules cover a connection. */
export interface ClusterJudge {
  /** Those that are about a party, and those that may be, in the order in which they are tried. */
  readonly policiesOf: (party: Party) => readonly ClusterPolicy[];
  readonly viewOf: (side: Side) => ClusterView;
}

export function clusterJudge(model: PolicyModel, selection: PodSelection): ClusterJudge {
  const isPeer = peerTest(selection);
  const missing = missingClusterFacts(model, selection);
  const ofPods = clusterPoliciesOfPods(model, selection);
  return {
    policiesOf: ({ pods }) => {
      const [only, ...more] = pods;
      if (only === undefined) return [];
      if (more.length === 0) return ofPods(only);
      const own = new Set(pods.flatMap(ofPods));
      return model.clusterPolicies.filter((policy) => own.has(policy));
    },
    viewOf: ({ direction, subject, other, flow }) => ({
      direction,
      isAbout: (policy) => isPeer(policy, policy.subject, subject),
      covers: (policy, { peers, ports }) => {
        const whom = findBest(peers, (peer) => isPeer(policy, peer, other));
        if (whom.answer === 'no') return { answer: 'no', peer: undefined, port: undefined };
        const where = findBest(ports, (port) => isPort(port, flow));
        return { answer: allOf([whom.answer, where.answer]), peer: whom.at, port: where.at };
      },
      missing: (policy, rules) => missing({ policy, rules, subject, other, receiver: flow.to }),
    }),
  };
}
