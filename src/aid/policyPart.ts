import { count } from '../common/text/count.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Evidence } from '../diagnostics/problem.ts';
import type { ClusterPolicy } from '../model/clusterPolicy.ts';
import type { NetPolicy } from '../model/netPolicy.ts';
import type { FlowCheck } from '../policy/testPolicy.ts';
import { checkText } from '../policy/text/verdictText.ts';
import type { AidCause } from './aidCause.ts';
import type { AskedService } from './askedService.ts';
import { isDenied, type PolicyAnswers, type PolicyOutcome } from './policyAnswers.ts';
import type { AidPart } from './serviceCheck.ts';

/**
 * Whether NetworkPolicies let anybody in. Policies exist to keep most senders away: unless somebody asked about a
 * sender, it is only a fault if they keep everybody away, inside and outside the cluster.
 */
export function policyPart(asked: AskedService, answers: PolicyAnswers | undefined, from: string | undefined): AidPart {
  if (answers === undefined) return { causes: [], remarks: [], looked: noPolicies(asked), notLooked: unasked(asked) };
  const senders = from === undefined ? answers.senders() : [from];
  const { judged, isWhole } = judge(senders, answers);
  const sorted = sort(judged);
  const { denied, unknown } = sorted;
  const [first] = denied;
  const isEverybody = first !== undefined && isWhole && denied.length === judged.length;
  const number = asked.cluster.manifests.networkPolicies.length;
  const seen = judged.length === 0 ? 'there is no sender to ask about' : judgedText(sorted);
  return {
    causes: isEverybody ? [causeOf(asked, from, judged.length, first.outcome)] : [],
    remarks: [],
    looked: [{ what: 'policies', seen: [`${count(number, 'NetworkPolicy', 'NetworkPolicies')}: ${seen}`] }],
    notLooked: gapsOf(answers, unknown.length),
  };
}

function noPolicies({ hasAllPolicies, cluster: { manifests } }: AskedService): AidPart['looked'] {
  const isNone = manifests.networkPolicies.length + manifests.otherPolicies.length === 0;
  return hasAllPolicies && isNone ? [{ what: 'policies', seen: ['the cluster has no NetworkPolicies'] }] : [];
}

/** Clients of a headless Service connect to its Pods, which the objects do not show. */
function unasked({ service, cluster, ports }: AskedService): AidPart['notLooked'] {
  if (service.kind !== 'headless' || cluster.manifests.networkPolicies.length === 0) return [];
  const [port] = ports;
  const how = `ask about its Pods: \`k8snet policy test -f PATH --from POD --to POD${port === undefined ? '' : ` --port ${port.targetPort}`}\``;
  return [{ what: 'NetworkPolicies, of a headless Service', how }];
}

interface Judged {
  readonly sender: string;
  readonly outcome: Exclude<PolicyOutcome, 'unanswerable'>;
}

type Sorted = Readonly<Record<'allowed' | 'denied' | 'unknown', readonly Judged[]>>;

function sort(judged: readonly Judged[]): Sorted {
  const sorted = { allowed: [] as Judged[], denied: [] as Judged[], unknown: [] as Judged[] };
  for (const one of judged) {
    const isOpen = one.outcome.some(({ isUnknown }) => isUnknown);
    sorted[isDenied(one.outcome) ? 'denied' : isOpen ? 'unknown' : 'allowed'].push(one);
  }
  return sorted;
}

/** `2 of 4 senders may connect (shop/a, shop/b; not shop/c; unknown: shop/d)`. */
function judgedText({ allowed, denied, unknown }: Sorted): string {
  const named = (head: string, list: readonly Judged[]) => {
    const names = list.map(({ sender }) => sender);
    return names.length === 0 ? [] : [head + firstFew(names, 3)];
  };
  const others = allowed.length + unknown.length;
  const who = [...named('', allowed), ...named(others === 0 ? '' : 'not ', denied), ...named('unknown: ', unknown)];
  return `${allowed.length} of ${count(others + denied.length, 'sender')} may connect (${who.join('; ')})`;
}

/** Of very many senders some are enough, where one of them may connect. `isWhole`: each was judged. */
function judge(
  senders: readonly string[],
  { outcomeOf }: PolicyAnswers,
): { readonly judged: readonly Judged[]; readonly isWhole: boolean } {
  const judged: Judged[] = [];
  let isWhole = true;
  for (const [at, sender] of senders.entries()) {
    if (at >= mostSenders && judged.some(({ outcome }) => !isDenied(outcome))) break;
    const outcome = outcomeOf(sender);
    if (outcome === 'unanswerable') isWhole = false;
    else judged.push({ sender, outcome });
  }
  return { judged, isWhole };
}

const mostSenders = 300;

function causeOf(
  asked: AskedService,
  from: string | undefined,
  senders: number,
  checks: readonly FlowCheck[],
): AidCause {
  const { service, diagnostics } = asked;
  const [check] = checks;
  const sides = [check?.verdict?.egress, check?.verdict?.ingress];
  const both = sides.flatMap((side): readonly (NetPolicy | ClusterPolicy)[] => {
    if (side?.kind !== 'denied') return [];
    return side.why === 'clusterRule' ? [side.policy] : side.policies;
  });
  // One policy may keep the sender in and the Service shut.
  const policies = [...new Map(both.map((policy) => [`${policy.kind} ${policy.id}`, policy])).values()];
  const own = policies.flatMap((policy) => (policy.kind === 'netPolicy' ? policy.id : []));
  const wide = policies.flatMap((policy) => (policy.kind === 'clusterPolicy' ? policy.id : []));
  const names = [
    ...(own.length === 0 ? [] : [`${own.length === 1 ? 'NetworkPolicy' : 'NetworkPolicies'} ${own.join(', ')}`]),
    ...wide,
  ];
  const said = diagnostics.filter(
    ({ code, at: [at] }) =>
      (code === 'policy-peer-matches-nothing' || code === 'policy-port-unknown') &&
      policies.some(
        ({ origin }) =>
          at?.file === origin.file &&
          at.document === origin.document &&
          origin.path.every((part, index) => at.path[index] === part),
      ),
  );
  const whom = from === undefined ? `any of the ${senders} kinds of senders that the objects show` : from;
  const [policy] = policies;
  const isSender = check?.verdict?.egress.kind === 'denied';
  return {
    code: 'network-policy',
    what: `${names.join(', ')} ${policies.length === 1 ? 'does' : 'do'} not let ${whom} ${isSender ? `send to` : 'connect to'} Service ${service.id}.`,
    evidence: [
      ...policies
        .slice(0, mostShown)
        .map((one): Evidence => ({ kind: 'object', text: nameOf(one), origin: one.origin })),
      ...said
        .slice(0, mostShown)
        .map(
          ({ message, hint, at: [origin] }): Evidence =>
            origin === undefined
              ? { kind: 'fact', text: message }
              : { kind: 'object', text: hint === undefined ? message : `${message} (${hint})`, origin },
        ),
      ...(check === undefined
        ? []
        : checkText(check)
            .trimEnd()
            .split('\n')
            .map((text): Evidence => ({ kind: 'fact', text }))),
    ],
    fix: policy === undefined ? '' : fixOf(policy, said.length > 0),
    nodes: [],
  };
}

function nameOf(policy: NetPolicy | ClusterPolicy): string {
  return policy.kind === 'clusterPolicy' ? policy.id : `NetworkPolicy ${policy.id}`;
}

function fixOf(policy: NetPolicy | ClusterPolicy, hasEmptyPeer: boolean): string {
  const edit =
    policy.kind === 'clusterPolicy'
      ? `\`kubectl edit ${policy.apiKind.toLowerCase()} ${policy.name}\``
      : `\`kubectl -n ${policy.namespace} edit networkpolicy ${policy.name}\``;
  return hasEmptyPeer
    ? `Give the Namespaces or Pods that are meant the labels that the policy asks for (\`kubectl get namespaces --show-labels\`), or change the policy: ${edit}.`
    : `Allow the sender and the port of the Pods in a rule of the policy, if they are to be let in: ${edit}.`;
}

const mostShown = 4;

function gapsOf({ otherKinds }: PolicyAnswers, unknown: number): AidPart['notLooked'] {
  if (otherKinds.length > 0) {
    const what = `policies of other kinds (${otherKinds.join(', ')})`;
    return [{ what, how: 'k8snet does not read them: ask the program that they are for' }];
  }
  if (unknown === 0) return [];
  const how = 'give the objects whole: `kubectl get pods,namespaces -A -o yaml`';
  return [{ what: `policies, for ${count(unknown, 'sender')}`, how }];
}
