import { coversPods, coversRule, isEveryone } from '../../model/clusterCover.ts';
import {
  type ClusterPolicy,
  type ClusterRule,
  compareClusterPolicies,
  readClusterPolicy,
} from '../../model/clusterPolicy.ts';
import type { Direction } from '../../model/netPolicy.ts';
import type { ClusterPolicyObject } from '../../validate/kinds/clusterPolicyObjects.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { LintContext } from '../lintContext.ts';
import { policyGround } from './policyGround.ts';

/**
 * Cluster-wide policies that are about no Pod, rules that an earlier one leaves nothing to, a Deny that closes everything
 * in front of NetworkPolicies, and policies of which the API does not say which is asked first.
 */
export function clusterPolicies(context: LintContext): void {
  const { clusterPolicies: manifests } = context.cluster.manifests;
  if (manifests.length === 0) return;
  const read = manifests.map((manifest) => ({ manifest, policy: readClusterPolicy(manifest) }));
  read.sort((a, b) => compareClusterPolicies(a.policy, b.policy));
  checkSubjects(context, read);
  for (const [index, one] of read.entries()) {
    const earlier = read.slice(0, index).filter(({ policy }) => policy.tier === one.policy.tier);
    for (const direction of ['ingress', 'egress'] as const) {
      checkShadows(context, one, earlier, direction);
      checkDenial(context, one, earlier, direction);
    }
    for (const other of earlier) checkEqual(context, one, other);
  }
}

interface Read {
  readonly manifest: Manifest<ClusterPolicyObject>;
  readonly policy: ClusterPolicy;
}

function checkSubjects(context: LintContext, read: readonly Read[]): void {
  const ground = policyGround(context);
  for (const { manifest, policy } of read) {
    if (ground.found(policy, policy.subject)?.length !== 0) continue;
    context.complain(manifest, {
      code: 'policy-selects-nothing',
      path: ['spec', 'subject'],
      message: `${policy.id} is about no Pod: none of the input is in its subject`,
    });
  }
}

/** Of one policy, or of one that is surely asked before and is about the same Pods or more. */
function checkShadows({ complain }: LintContext, one: Read, earlier: readonly Read[], direction: Direction): void {
  const { policy, manifest } = one;
  const before = earlier.filter(
    (each) => isBefore(each.policy, policy) && coversPods(each.policy.subject, policy.subject),
  );
  for (const [index, rule] of policy[direction].entries()) {
    const own = policy[direction].slice(0, index).findIndex((each) => coversRule(each, rule));
    const other =
      own >= 0 ? undefined : before.find((each) => each.policy[direction].some((at) => coversRule(at, rule)));
    if (own < 0 && other === undefined) continue;
    const at = other?.policy[direction].findIndex((each) => coversRule(each, rule)) ?? own;
    const origin = (other ?? one).manifest.origin;
    complain(manifest, {
      code: 'policy-rule-shadowed',
      path: ['spec', direction, index],
      message: `${ruleName(policy, direction, index)} never decides: ${other === undefined ? '' : 'earlier, '}${ruleName((other ?? one).policy, direction, at)} matches all that it matches`,
      also: [{ ...origin, path: [...origin.path, 'spec', direction, at] }],
    });
  }
}

/** In front of NetworkPolicies, with nothing that accepts or passes before it: nobody can allow anything. It may be meant. */
function checkDenial({ complain }: LintContext, one: Read, earlier: readonly Read[], direction: Direction): void {
  const { policy, manifest } = one;
  if (policy.tier !== 'Admin') return;
  const isOpening = ({ action }: ClusterRule) => action !== 'Deny';
  if (earlier.some((each) => each.policy[direction].some(isOpening))) return;
  const index = policy[direction].findIndex((rule) => isOpening(rule) || isDenyAll(rule));
  const rule = policy[direction][index];
  if (rule === undefined || isOpening(rule)) return;
  complain(manifest, {
    code: 'policy-denies-everyone',
    path: ['spec', direction, index],
    message: `${ruleName(policy, direction, index)} comes first and denies every port: ${closedText(rule, direction)}, and no NetworkPolicy can allow it`,
    hint: 'put what is to stay open before it, or use the Baseline tier, in front of which NetworkPolicies are asked',
  });
}

function closedText({ peers }: ClusterRule, direction: Direction): string {
  if (direction === 'ingress') return 'no Pod reaches these Pods';
  const networks = peers.flatMap((peer) => (peer.kind === 'networks' ? peer.cidrs : []));
  const families = new Set(networks.filter(({ text }) => text.endsWith('/0')).map(({ family }) => family));
  if (families.size === 0) return 'these Pods reach no other Pod';
  const [only] = families;
  return `these Pods reach nobody${families.size > 1 ? '' : only === 'ipv4' ? ' by IPv4' : ' by IPv6'}, not even to look up names`;
}

function isDenyAll({ peers, ports }: ClusterRule): boolean {
  return ports === undefined && peers.some(isEveryone);
}

/** Only where both are about the same Pods for sure, and disagree about what one of them matches. */
function checkEqual({ complain }: LintContext, one: Read, other: Read): void {
  const { policy, manifest } = one;
  const { policy: first } = other;
  const isOpen = policy.priority === first.priority || policy.priority === undefined;
  if (!isOpen || !(coversPods(first.subject, policy.subject) || coversPods(policy.subject, first.subject))) return;
  const disagree = (['ingress', 'egress'] as const).some((direction) =>
    policy[direction].some((rule) =>
      first[direction].some(
        (each) => each.action !== rule.action && (coversRule(each, rule) || coversRule(rule, each)),
      ),
    ),
  );
  if (!disagree) return;
  const why =
    policy.priority === undefined ? `${policy.id} has no priority beside it` : `both have priority ${policy.priority}`;
  complain(manifest, {
    code: 'policy-order-open',
    path: ['spec'],
    message: `${first.id} and ${policy.id} decide differently about the same connections, and ${why}: a cluster may ask either first`,
    hint: 'give one of them another priority',
    also: [other.manifest.origin],
  });
}

function isBefore(one: ClusterPolicy, other: ClusterPolicy): boolean {
  return one.priority !== undefined && other.priority !== undefined && one.priority < other.priority;
}

function ruleName({ id }: ClusterPolicy, direction: Direction, index: number): string {
  return `${id}, ${direction}[${index}]`;
}
