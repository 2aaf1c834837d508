import type { Direction } from '../../model/netPolicy.ts';
import type { ClusterRuleMatch, SideVerdict } from '../sideVerdict.ts';

/** What one side of a connection says, for programs. */
export function sideJson(direction: Direction, verdict: SideVerdict): object {
  const { passed = [] } = verdict;
  const before = passed.length === 0 ? {} : { passedBy: passed.map((match) => matchJson(direction, match)) };
  return { ...before, ...endJson(direction, verdict) };
}

function endJson(direction: Direction, verdict: SideVerdict): object {
  if (verdict.kind === 'unknown') {
    const { policies, facts, ties } = verdict;
    const open = ties.map((tie) => tie.map((match) => matchJson(direction, match)));
    return {
      allowed: false,
      unknown: true,
      policies: policies.map(({ id }) => id),
      missing: facts,
      ...(open.length > 0 && { ties: open }),
    };
  }
  if (verdict.why === 'clusterRule') {
    return { allowed: verdict.kind === 'allowed', why: 'clusterRule', ...matchJson(direction, verdict) };
  }
  if (verdict.kind === 'denied') {
    return {
      allowed: false,
      isolatedBy: verdict.policies.map(({ id }) => id),
      nearMisses: verdict.nearMisses.map(({ policy, ...miss }) => ({ policy: policy.id, ...miss })),
    };
  }
  if (verdict.why !== 'rule') return { allowed: true, why: verdict.why };
  const { policy, rule, peer, port } = verdict;
  return { allowed: true, why: 'rule', policy: policy.id, rule, peer, port };
}

function matchJson(direction: Direction, { policy, rule, peer, port }: ClusterRuleMatch): object {
  const { id, tier, priority } = policy;
  return { policy: id, tier, priority, action: policy[direction][rule]?.action, rule, peer, port };
}
