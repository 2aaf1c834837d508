import type { Ternary } from '../../common/ternary.ts';
import type { ClusterPolicy, ClusterRule } from '../../model/clusterPolicy.ts';
import type { Direction } from '../../model/netPolicy.ts';
import type { MissingFact } from '../missing/missingFact.ts';
import { type Doubt, joinPossible, type PossibleVerdicts, possible } from '../missing/possibleVerdicts.ts';
import type { ClusterRuleMatch } from '../sideVerdict.ts';

/** How cluster-wide policies look at one side of a connection. */
export interface ClusterView {
  readonly direction: Direction;
  /** `no`: it is never asked for a policy that is not about the subject. */
  readonly isAbout: (policy: ClusterPolicy) => Ternary;
  readonly covers: (
    policy: ClusterPolicy,
    rule: ClusterRule,
  ) => { readonly answer: Ternary; readonly peer: number | undefined; readonly port: number | undefined };
  /** What would have to be known to say whether the policy is about the subject, and the rules cover the connection. */
  readonly missing: (policy: ClusterPolicy, rules: readonly ClusterRule[]) => readonly MissingFact[];
}

/**
 * Asks the policies of one tier in the order of their priorities; `next` is what the tiers behind it say. The API does not
 * order policies of equal priority, and a BaselineAdminNetworkPolicy has none among others: whatever order a cluster may
 * take is among the possible verdicts.
 */
export function askTier(
  policies: readonly ClusterPolicy[],
  view: ClusterView,
  next: () => PossibleVerdicts,
): PossibleVerdicts {
  if (policies.length === 0) return next();
  const ordered = policies.filter(({ priority }) => priority !== undefined);
  const unordered = policies.filter(({ priority }) => priority === undefined);
  const groups = groupsOf(ordered);
  if (ordered.length === 0 || unordered.length === 0) {
    return askGroups(unordered.length > 0 ? [unordered] : groups, view, next);
  }
  // Before all of them or behind all of them: any place between gives what one of both gives.
  const orders = [
    [unordered, ...groups],
    [...groups, unordered],
  ].map((order) => askGroups(order, view, next));
  const tie = distinctMatches(orders.flatMap(({ verdicts }) => verdicts.flatMap(decidedHere)));
  const joined = joinPossible(orders);
  const isTie = new Set(tie.map(({ policy }) => policy.priority === undefined)).size > 1;
  return isTie ? { ...joined, ties: [...joined.ties, tie] } : joined;
}

/** The rule of this tier that a verdict comes from. */
function decidedHere(verdict: PossibleVerdicts['verdicts'][number]): readonly ClusterRuleMatch[] {
  const [passed] = verdict.passed ?? [];
  if (passed !== undefined) return [passed];
  return verdict.kind !== 'unknown' && verdict.why === 'clusterRule' ? [verdict] : [];
}

function distinctMatches(matches: readonly ClusterRuleMatch[]): readonly ClusterRuleMatch[] {
  return [...new Map(matches.map((match) => [`${match.policy.id} ${match.rule}`, match])).values()];
}

function groupsOf(policies: readonly ClusterPolicy[]): readonly (readonly ClusterPolicy[])[] {
  const groups: ClusterPolicy[][] = [];
  for (const policy of policies) {
    const group = groups.at(-1);
    if (group !== undefined && group[0]?.priority === policy.priority) group.push(policy);
    else groups.push([policy]);
  }
  return groups;
}

function askGroups(
  groups: readonly (readonly ClusterPolicy[])[],
  view: ClusterView,
  next: () => PossibleVerdicts,
): PossibleVerdicts {
  const parts: PossibleVerdicts[] = [];
  for (const group of groups) {
    const answers = group.map((policy) => askPolicy(policy, view));
    const matches = answers.flatMap(({ found }) => found);
    const doubts = answers.flatMap(({ doubt }) => doubt ?? []);
    const deciding = answers.filter(({ found }) => found.length > 0);
    const isTie = deciding.length > 1 && new Set(matches.map((match) => actionOf(match, view))).size > 1;
    parts.push({ verdicts: [], ties: isTie ? [matches] : [], doubts });
    for (const match of matches) parts.push(act(match, view, next));
    if (answers.some(({ isSure }) => isSure)) return joinPossible(parts);
  }
  parts.push(next());
  return joinPossible(parts);
}

interface Answer {
  /** Rules that decide, or may. */
  readonly found: readonly ClusterRuleMatch[];
  /** One of them does. */
  readonly isSure: boolean;
  readonly doubt: Doubt | undefined;
}

function askPolicy(policy: ClusterPolicy, view: ClusterView): Answer {
  const about = view.isAbout(policy);
  const found: ClusterRuleMatch[] = [];
  const doubtful: ClusterRule[] = [];
  let isCovered = false;
  for (const [index, rule] of policy[view.direction].entries()) {
    const { answer, peer, port } = view.covers(policy, rule);
    if (answer === 'no') continue;
    found.push({ policy, rule: index, peer, port });
    isCovered = answer === 'yes';
    if (isCovered) break;
    doubtful.push(rule);
  }
  const isDoubtful = found.length > 0 && (doubtful.length > 0 || about === 'maybe');
  const facts = () => view.missing(policy, doubtful);
  return {
    found,
    isSure: isCovered && about === 'yes',
    doubt: isDoubtful ? { policies: [policy], facts } : undefined,
  };
}

function actionOf({ policy, rule }: ClusterRuleMatch, { direction }: ClusterView): ClusterRule['action'] | undefined {
  return policy[direction][rule]?.action;
}

function act(match: ClusterRuleMatch, view: ClusterView, next: () => PossibleVerdicts): PossibleVerdicts {
  switch (actionOf(match, view)) {
    case 'Accept':
      return possible({ kind: 'allowed', why: 'clusterRule', ...match });
    case 'Deny':
      return possible({ kind: 'denied', why: 'clusterRule', ...match });
    default: {
      const behind = next();
      const verdicts = behind.verdicts.map((verdict) => ({ ...verdict, passed: [match, ...(verdict.passed ?? [])] }));
      return { ...behind, verdicts };
    }
  }
}
