import { lackOfEndpoint } from '../../netfilter/lackOfEndpoint.ts';
import { isPolicyChain } from '../../netfilter/policyParts.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { TracedOutcome } from '../../trace/traceResult.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import { isOfProxy } from '../../walk/input/isOfProxy.ts';
import type { CauseDraft } from '../cause.ts';
import { evidenceOf, fact } from '../evidence.ts';
import { fixes } from '../fixes.ts';
import { isLackStale, lackingEndpoint } from '../lackingEndpoint.ts';
import { markedToDrop } from '../markedToDrop.ts';
import { policyLocalRule } from '../policyLocalRule.ts';
import { holdsRanges, isDroppedUnasked, sourceNotAllowed } from '../sourceNotAllowed.ts';
import type { WhyQuestion } from '../whyQuestion.ts';
import { fallenThrough } from './fallenThrough.ts';
import { notAskedFor } from './notAskedFor.ts';
import { isAllowedByPolicies } from './stoppedByPolicies.ts';

/** A rule, a chain's policy or IPVS ended the packet's way. */
export function stopped(outcome: TracedOutcome, events: readonly WalkEvent[], question: WhyQuestion): CauseDraft {
  const { end } = outcome.first;
  const last = events.at(-1);
  if (end.kind === 'rejected' && end.byIpvs) {
    const local = policyLocalRule(events);
    if (local !== undefined) return lackingEndpoint('local', evidenceOf(local), question);
    const evidence = [fact('ipvsadm lists no server with a weight for it')];
    if (isLackStale('any', question)) return lackingEndpoint('any', evidence, question);
    return {
      code: 'no-endpoints',
      what: `The virtual server ${question.name} has no real servers.`,
      evidence,
      fix: 'See why no Pod is ready: `kubectl -n NAMESPACE describe service NAME`, `kubectl -n NAMESPACE get pods -o wide --show-labels`.',
    };
  }
  return (
    withoutEndpoint(last, question) ??
    outOfRanges(last, events, question) ??
    droppedByMark(last, events, question) ??
    deniedByPolicy(last, events, () => isAllowedByPolicies(outcome, question)) ??
    guarded(last, events, question) ??
    inFront(last)
  );
}

function withoutEndpoint(last: WalkEvent | undefined, question: WhyQuestion): CauseDraft | undefined {
  const said = last?.rule?.comment ?? '';
  const chain = last?.chain.name ?? '';
  const evidence = evidenceOf(last);
  const lack = lackOfEndpoint(chain, said, last?.verdict === 'drop' && last.action === undefined);
  if (lack === undefined) return undefined;
  return lackingEndpoint(lack, evidence, question);
}

function outOfRanges(
  last: WalkEvent | undefined,
  events: readonly WalkEvent[],
  question: WhyQuestion,
): CauseDraft | undefined {
  if (last === undefined || !holdsRanges(last.chain)) return undefined;
  const missed = isDroppedUnasked(last, events)
    ? (fallenThrough(events, question) ?? notAskedFor(evidenceOf(last), question))
    : undefined;
  return missed ?? sourceNotAllowed(evidenceOf(last), question);
}

/** A rule of the kubelet, which drops what kube-proxy has marked. */
function droppedByMark(
  last: WalkEvent | undefined,
  events: readonly WalkEvent[],
  question: WhyQuestion,
): CauseDraft | undefined {
  return last?.chain.name === 'KUBE-FIREWALL' ? markedToDrop(events, question) : undefined;
}

/** Comments of our rules for cluster-wide policies, in nftables and in iptables. */
const clusterPolicyComment = /^((?:(?:Baseline)?Admin|Cluster)NetworkPolicy[ /]\S+)/;

/** `areStale`: the policies of the objects let the packet pass. */
function deniedByPolicy(
  last: WalkEvent | undefined,
  events: readonly WalkEvent[],
  areStale: () => boolean,
): CauseDraft | undefined {
  const isOfPolicies =
    events.some(({ chain }) => isPolicyChain(chain.name)) || /netpol|policy/i.test(last?.chain.table.name ?? '');
  if (!isOfPolicies) return undefined;
  if (areStale()) {
    return {
      code: 'network-policy',
      what: `Rules of policies deny it (${placeOf(last)}), and the policies of the manifests allow it: the rules are not those of the policies.`,
      evidence: evidenceOf(last),
      fix: `\`k8snet diff\` with the same files says what else differs. ${commands.writePolicies}`,
    };
  }
  const [, wide] = clusterPolicyComment.exec(last?.rule?.comment ?? '') ?? [];
  if (wide !== undefined) {
    return {
      code: 'network-policy',
      what: `A policy for the whole cluster denies it: ${wide} (${placeOf(last)}).`,
      evidence: evidenceOf(last),
      fix: '`k8snet policy test` with the same --from and --to names the rule. No NetworkPolicy can allow what the Admin tier denies; a NetworkPolicy that selects the Pod goes before the Baseline tier.',
    };
  }
  return {
    code: 'network-policy',
    what: `A NetworkPolicy denies it: no rule of the Pod's policies allows this source and port (${placeOf(last)}).`,
    evidence: evidenceOf(last),
    fix: '`k8snet policy test` with the same --from and --to names the policies that select the Pod, and the rule that comes closest to allowing it.',
  };
}

/** Rules that protect unused ports of Services' addresses. */
function guarded(
  last: WalkEvent | undefined,
  events: readonly WalkEvent[],
  question: WhyQuestion,
): CauseDraft | undefined {
  if (!/^(?:cluster-ips-check|KUBE-IPVS-FILTER)$/.test(last?.chain.name ?? '')) return undefined;
  return fallenThrough(events, question) ?? notAskedFor(evidenceOf(last), question);
}

function inFront(last: WalkEvent | undefined): CauseDraft {
  const evidence = evidenceOf(last);
  const verb = last?.action === undefined ? 'drops' : /has no address$/.test(last.action) ? 'loses' : 'rejects';
  if (last !== undefined && last.verdict !== 'policy' && isOfProxy(last.chain)) {
    const said = last.rule?.comment;
    return {
      code: 'somebody-in-front',
      what: `A rule of kube-proxy's chain ${last.chain.name} ${verb} it${said === undefined ? '' : ` (${said})`}${verb === 'loses' ? `: ${last.action}` : ''}.`,
      evidence,
      fix: `Compare the rules with the manifests (\`k8snet diff\`). ${commands.restart}`,
    };
  }
  const what =
    last?.verdict === 'policy'
      ? `the policy of ${placeOf(last)} is DROP`
      : `a rule of another program in ${placeOf(last)} ${verb} it${verb === 'loses' ? ` (${last?.action})` : ''}`;
  return {
    code: 'somebody-in-front',
    what: `Another rule comes first: ${what}.`,
    evidence,
    fix: fixes.otherProgram,
  };
}

function placeOf(event: WalkEvent | undefined): string {
  return event === undefined ? 'a rule' : `${event.chain.table.name} ${event.chain.name}`;
}
