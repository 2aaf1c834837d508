import { allOf, type Ternary } from '../common/ternary.ts';
import type { Direction, NetPolicy, NetPolicyPeer } from '../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';
import { findBest } from './findBest.ts';
import { isPort } from './isPort.ts';
import { missingFacts } from './missing/missingFacts.ts';
import { type PossibleVerdicts, possible } from './missing/possibleVerdicts.ts';
import type { Party } from './parties/party.ts';
import { peerTest } from './parties/peerTest.ts';
import type { PodSelection } from './parties/podSelection.ts';
import { policiesOfPods } from './policiesOfPods.ts';
import type { PolicyFlow, Side } from './policyFlow.ts';
import type { NearMiss, SideVerdict } from './sideVerdict.ts';

/** What NetworkPolicies decide on one side. */
export interface NetPolicyJudge {
  readonly policiesOf: (party: Party, direction: Direction) => Isolating;
  /** `unselected`: the result for a Pod that no NetworkPolicy isolates. */
  readonly ask: (side: Side, policies: Isolating, unselected: () => PossibleVerdicts) => PossibleVerdicts;
}

export interface Isolating {
  /** The policies that isolate a party in a direction, in the model's order. */
  readonly sure: readonly NetPolicy[];
  /** Those that may besides: nobody knows its labels. */
  readonly maybe: readonly NetPolicy[];
}

export function netPolicyJudge(model: PolicyModel, selection: PodSelection): NetPolicyJudge {
  const sureOf = policiesOfParties(policiesOfPods(model, selection.selectedBy));
  const maybeOf = policiesOfParties(policiesOfPods(model, selection.maybeSelectedBy));
  const isPeer = peerTest(selection);
  const factsOf = missingFacts(model, selection);
  return {
    policiesOf: (party, direction) => {
      const sure = sureOf(party, direction);
      const maybe = maybeOf(party, direction);
      return { sure, maybe: maybe.length === 0 ? maybe : maybe.filter((policy) => !sure.includes(policy)) };
    },
    ask: ({ direction, subject, other, flow }, { sure, maybe }, unselected) => {
      if (sure.length === 0 && maybe.length === 0) return unselected();
      const byRules = (policies: readonly NetPolicy[]) =>
        judgeByRules(policies, direction, flow, (policy, peer) => isPeer(policy, peer, other));
      const judged = byRules(sure);
      if (judged.kind === 'allowed') return possible(judged);
      // What may be: a policy that may select the pod isolates it, and allows what its rules say.
      const doubtful = maybe.map((policy) => byRules([policy]));
      const policies = [...sure, ...maybe];
      const facts = () => factsOf({ direction, subject, other, receiver: flow.to, sure, maybe });
      const unknown = (): SideVerdict => ({ kind: 'unknown', policies, facts: facts(), ties: [] });
      const areDenied = doubtful.every(({ kind }) => kind === 'denied');
      if (sure.length > 0) return possible(judged.kind === 'denied' && areDenied ? judged : unknown());
      const areAllowed = doubtful.every(({ kind }) => kind === 'allowed');
      const selected: SideVerdict = areAllowed
        ? { kind: 'allowed', why: 'anyway' }
        : areDenied
          ? { kind: 'denied', why: 'isolated', policies, nearMisses: [] }
          : unknown();
      const open = unselected();
      return { ...open, verdicts: [...open.verdicts, selected], doubts: [...open.doubts, { policies, facts }] };
    },
  };
}

function policiesOfParties(
  policiesOf: (pod: PolicyPod, direction: Direction) => readonly NetPolicy[],
): (party: Party, direction: Direction) => readonly NetPolicy[] {
  return ({ pods }, direction) => {
    const [only, ...more] = pods;
    if (only !== undefined && more.length === 0) return policiesOf(only, direction);
    return [...new Set(pods.flatMap((pod) => policiesOf(pod, direction)))];
  };
}

type JudgedRules = Extract<SideVerdict, { why: 'rule' } | { why: 'isolated' }> | { readonly kind: 'maybe' };

/** The first rule that covers the flow allows it; one that may cover it leaves it open. */
function judgeByRules(
  policies: readonly NetPolicy[],
  direction: Direction,
  flow: PolicyFlow,
  isPeer: (policy: NetPolicy, peer: NetPolicyPeer) => Ternary,
): JudgedRules {
  const nearMisses: NearMiss[] = [];
  let mayAllow = false;
  for (const policy of policies) {
    for (const [rule, { peers, ports }] of (policy[direction] ?? []).entries()) {
      const whom = findBest(peers?.all, (peer) => isPeer(policy, peer));
      const where = findBest(ports, (each) => isPort(each, flow));
      const covers = allOf([whom.answer, where.answer]);
      if (covers === 'yes') return { kind: 'allowed', why: 'rule', policy, rule, peer: whom.at, port: where.at };
      if (covers === 'maybe') mayAllow = true;
      else if (whom.answer !== where.answer)
        nearMisses.push({ policy, rule, misses: whom.answer === 'no' ? 'peer' : 'port' });
    }
  }
  return mayAllow ? { kind: 'maybe' } : { kind: 'denied', why: 'isolated', policies, nearMisses };
}
