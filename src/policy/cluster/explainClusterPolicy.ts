import { firstFew } from '../../common/text/firstFew.ts';
import type { ClusterPolicy, ClusterRule } from '../../model/clusterPolicy.ts';
import type { Direction } from '../../model/netPolicy.ts';
import { othersText } from '../../model/othersText.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { podSelection } from '../parties/podSelection.ts';
import type { DirectionExplanation, PolicyExplanation } from '../text/explainPolicy.ts';
import { portText } from '../text/portText.ts';
import { clusterPeerText, clusterPodsText, placeText } from './clusterText.ts';

/** What a cluster-wide policy really does, for people: its rules in the order in which they are tried. */
export function explainClusterPolicy(model: PolicyModel, policy: ClusterPolicy): PolicyExplanation {
  const selection = podSelection(model);
  const pods = selection.peers(policy, policy.subject);
  const doubtful = selection.maybePeers(policy, policy.subject);
  const names = pods.map(({ id }) => id);
  const perhaps = doubtful.map(({ id }) => id);
  const found = pods.length === 0 ? 'none' : `${pods.length}: ${firstFew(names, shown)}`;
  const open =
    doubtful.length === 0 ? '' : `; perhaps ${firstFew(perhaps, shown)}, whose labels the input does not show`;
  return {
    id: placeText(policy),
    subject: `applies to ${clusterPodsText(policy.subject)} (${found}${open}), ${orderText(policy)}`,
    ingress: explainDirection(policy, 'ingress'),
    egress: explainDirection(policy, 'egress'),
    notes: [
      ...(pods.length + doubtful.length === 0 ? ['no pod of the input is selected: the policy has no effect now'] : []),
      ...equalNotes(model, policy),
      ...domainNotes(policy),
      ...othersNotes(model),
    ],
  };
}

const shown = 5;

function orderText({ tier }: ClusterPolicy): string {
  return tier === 'Admin'
    ? 'before NetworkPolicies are asked'
    : 'where no policy of the Admin tier decides and no NetworkPolicy isolates the pod';
}

function explainDirection(policy: ClusterPolicy, direction: Direction): DirectionExplanation {
  const rules = policy[direction];
  if (rules.length === 0) return { effect: 'untouched', summary: 'this policy says nothing about it', allows: [] };
  return {
    effect: 'decides some',
    summary: 'the first of these rules that matches decides',
    allows: rules.map((rule) => ruleText(policy, direction, rule)),
  };
}

function ruleText({ tier }: ClusterPolicy, direction: Direction, { name, action, peers, ports }: ClusterRule): string {
  const way = direction === 'ingress' ? 'from' : 'to';
  const behind = tier === 'Admin' ? 'NetworkPolicies decide' : 'allowed';
  const verb = { Accept: 'accept', Deny: 'deny', Pass: `pass on (${behind})` }[action];
  const who = peers.map(clusterPeerText).join(', or ');
  const what = ports === undefined ? 'every port and protocol' : ports.map(portText).join(', ') || 'no port';
  return `${name === '' ? '' : `${JSON.stringify(name)}: `}${verb} ${way} ${who}: ${what}`;
}

/** Of equal priority, a cluster may ask any first. */
function equalNotes({ clusterPolicies }: PolicyModel, policy: ClusterPolicy): readonly string[] {
  const equal = clusterPolicies.filter(
    (other) => other !== policy && other.tier === policy.tier && other.priority === policy.priority,
  );
  if (equal.length === 0) return [];
  const names = firstFew(
    equal.map(({ id }) => id),
    shown,
  );
  return [
    `${names} ${equal.length === 1 ? 'has' : 'have'} the same priority: where both match, a cluster may take either`,
  ];
}

function domainNotes({ egress }: ClusterPolicy): readonly string[] {
  const hasDomains = egress.some(({ peers }) => peers.some(({ kind }) => kind === 'domains'));
  return hasDomains ? ['which addresses domain names have is unknown here, and so is what their rules decide'] : [];
}

function othersNotes({ otherPolicies }: PolicyModel): readonly string[] {
  const others = othersText(otherPolicies);
  return others === undefined ? [] : [others];
}
