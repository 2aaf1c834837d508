import { pushAll } from '../../common/pushAll.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Direction, NetPolicy, NetPolicyRule } from '../../model/netPolicy.ts';
import { othersText } from '../../model/othersText.ts';
import type { PolicyModel, PolicyPod } from '../../model/policyModel.ts';
import { factsCommand, factsText } from '../missing/missingFact.ts';
import { missingPolicyFacts } from '../missing/missingPolicyFacts.ts';
import { podSelection } from '../parties/podSelection.ts';
import { portText } from './portText.ts';
import { peerText } from './verdictText.ts';

/** What a policy really does, for people. */
export interface PolicyExplanation {
  readonly id: string;
  /** The pods that it selects. */
  readonly subject: string;
  readonly ingress: DirectionExplanation;
  readonly egress: DirectionExplanation;
  /** What readers of the manifest tend to get wrong. */
  readonly notes: readonly string[];
}

export interface DirectionExplanation {
  /** `decides some`: a cluster-wide policy. */
  readonly effect: 'untouched' | 'denies all' | 'allows all' | 'allows some' | 'decides some';
  readonly summary: string;
  /** What is allowed, a line a rule; of a cluster-wide policy what each rule decides, in their order. */
  readonly allows: readonly string[];
}

export function explainPolicy(model: PolicyModel, policy: NetPolicy): PolicyExplanation {
  const selection = podSelection(model);
  const pods = selection.selectedBy(policy);
  const doubtful = selection.maybeSelectedBy(policy);
  const ingress = explainDirection(policy, 'ingress');
  const egress = explainDirection(policy, 'egress');
  return {
    id: policy.id,
    subject: subjectText(policy, pods, doubtful),
    ingress,
    egress,
    notes: [
      ...typeNotes(policy),
      ...effectNotes(policy, ingress, egress),
      ...selectionNotes(policy, pods.length + doubtful.length, (rule, peer) => {
        const each = rule.peers?.all[peer];
        if (each?.kind !== 'pods') return undefined;
        return selection.peers(policy, each).length + selection.maybePeers(policy, each).length;
      }),
      ...portNotes(policy, model, pods),
      ...doubtNotes(model, policy),
    ],
  };
}

export function explanationText({ id, subject, ingress, egress, notes }: PolicyExplanation): string {
  const lines = [`${id}`, `  ${subject}`];
  for (const [name, { summary, allows }] of [['ingress', ingress] as const, ['egress', egress] as const]) {
    lines.push(`  ${name}: ${summary}`, ...allows.map((line) => `    - ${line}`));
  }
  pushAll(
    lines,
    notes.map((note) => `  note: ${note}`),
  );
  return `${lines.join('\n')}\n`;
}

function subjectText(
  { namespace, podSelector }: NetPolicy,
  pods: readonly PolicyPod[],
  doubtful: readonly PolicyPod[],
): string {
  const who = podSelector.text === '' ? 'every pod' : `pods with ${podSelector.text}`;
  const names = pods.map(({ name }) => name);
  const sure = pods.length === 0 ? 'none' : `${pods.length}: ${firstFew(names, shown)}`;
  const perhaps = doubtful.map(({ name }) => name);
  const found =
    doubtful.length === 0
      ? `${sure}${pods.length === 0 ? ' in the input' : ''}`
      : `${sure} for sure; perhaps ${firstFew(perhaps, shown)}, whose labels the input does not show`;
  return `applies to ${who} in namespace ${namespace} (${found})`;
}

const shown = 5;

function explainDirection(policy: NetPolicy, direction: Direction): DirectionExplanation {
  const rules = policy[direction];
  const traffic = direction === 'ingress' ? 'connections to these pods' : 'connections from these pods';
  if (rules === undefined) {
    return { effect: 'untouched', summary: 'this policy says nothing about it', allows: [] };
  }
  if (rules.length === 0) {
    return { effect: 'denies all', summary: `denies all ${traffic} that no other policy allows`, allows: [] };
  }
  if (rules.some(({ peers, ports }) => peers === undefined && ports === undefined)) {
    return { effect: 'allows all', summary: `allows all ${traffic}: it denies nothing`, allows: [] };
  }
  const allows = rules.map((rule) => ruleText(policy, direction, rule));
  return { effect: 'allows some', summary: `allows only these ${traffic}, and what other policies allow`, allows };
}

function ruleText(policy: NetPolicy, direction: Direction, { peers, ports }: NetPolicyRule): string {
  const way = direction === 'ingress' ? 'from' : 'to';
  const who =
    peers === undefined
      ? 'anyone, also outside the cluster'
      : peers.all.map((peer) => peerText(peer, policy)).join(', or ');
  const what = ports === undefined ? 'every port and protocol' : ports.map(portText).join(', ');
  return `${way} ${who}: ${what}`;
}

function typeNotes(policy: NetPolicy): readonly string[] {
  const notes = policy.ignoredRules.map(
    (direction) => `its ${direction} rules mean nothing, since policyTypes does not name ${typeName(direction)}`,
  );
  if (!policy.hasDefaultTypes) return notes;
  if (policy.egress !== undefined && policy.ingress?.length === 0) {
    return [
      ...notes,
      'without policyTypes it also isolates ingress, and allows nothing there; was policyTypes: [Egress] meant?',
    ];
  }
  if (policy.egress === undefined) {
    return [...notes, 'without policyTypes and without egress rules it does not touch egress'];
  }
  return notes;
}

function typeName(direction: Direction): string {
  return direction === 'ingress' ? 'Ingress' : 'Egress';
}

/** Names promise, rules decide. */
function effectNotes(
  { name, ingress, egress }: NetPolicy,
  ...[inward, outward]: readonly [DirectionExplanation, DirectionExplanation]
): readonly string[] {
  const notes: string[] = [];
  for (const [direction, rules, { effect }] of [
    ['ingress', ingress, inward] as const,
    ['egress', egress, outward] as const,
  ]) {
    if (effect === 'allows all') {
      const one = rules?.length === 1 ? `the single empty rule (${direction}: [{}])` : 'an empty rule ({})';
      notes.push(`${one} matches everything; to deny all ${direction}, write ${direction}: []`);
    }
    if (effect === 'denies all' && /allow/.test(name) && !/deny/.test(name)) {
      notes.push(`despite its name it allows no ${direction}; to allow all, write ${direction}: [{}]`);
    }
  }
  const isDnsOpen = (egress ?? []).some(({ ports }) => ports === undefined || ports.some(mayBeDns));
  if (egress !== undefined && egress.length > 0 && !isDnsOpen) {
    notes.push('no egress rule allows port 53: unless another policy does, these pods cannot resolve names');
  }
  return notes;
}

function mayBeDns(port: NonNullable<NetPolicyRule['ports']>[number]): boolean {
  return port.kind === 'named' || (port.first <= 53 && port.last >= 53);
}

function selectionNotes(
  policy: NetPolicy,
  selected: number,
  countOf: (rule: NetPolicyRule, peer: number) => number | undefined,
): readonly string[] {
  const notes: string[] = [];
  if (selected === 0) notes.push('no pod of the input is selected: the policy has no effect now');
  for (const direction of ['ingress', 'egress'] as const) {
    for (const [index, rule] of (policy[direction] ?? []).entries()) {
      for (const [at, peer] of (rule.peers?.all ?? []).entries()) {
        const list = direction === 'ingress' ? 'from' : 'to';
        if (countOf(rule, at) !== 0) continue;
        notes.push(`${direction}[${index}].${list}[${at}] finds no pod of the input: ${peerText(peer, policy)}`);
      }
    }
  }
  return notes;
}

/** What the input does not show about the policy's parties, and policies of other kinds that also apply. */
function doubtNotes(model: PolicyModel, policy: NetPolicy): readonly string[] {
  const facts = missingPolicyFacts({ ...model, policies: [policy] }, undefined);
  const others = othersText(
    model.otherPolicies.filter(({ namespace }) => namespace === undefined || namespace === policy.namespace),
  );
  return [
    ...(facts.length === 0 ? [] : [`the input does not show ${factsText(facts)}; see \`${factsCommand(facts)}\``]),
    ...(others === undefined ? [] : [others]),
  ];
}

/** A name that its receivers lack never stands for a port, nor for all ports. */
function portNotes(policy: NetPolicy, model: PolicyModel, selected: readonly PolicyPod[]): readonly string[] {
  const notes: string[] = [];
  for (const direction of ['ingress', 'egress'] as const) {
    const receivers = (direction === 'ingress' ? selected : model.pods).filter(({ hasKnownPorts }) => hasKnownPorts);
    for (const [index, { ports }] of (policy[direction] ?? []).entries()) {
      for (const port of ports ?? []) {
        if (port.kind !== 'named') continue;
        const lacking = receivers.filter(
          ({ namedPorts }) =>
            !namedPorts.some(({ name, protocol }) => name === port.name && protocol === port.protocol),
        );
        if (receivers.length === 0 || (direction === 'egress' && lacking.length < receivers.length)) continue;
        if (lacking.length === 0) continue;
        const who =
          lacking.length === receivers.length
            ? 'no pod it could mean'
            : `only ${receivers.length - lacking.length} of the ${receivers.length} selected pods`;
        notes.push(`${direction}[${index}]: ${portText(port)} is defined by ${who}: elsewhere it allows nothing`);
      }
    }
  }
  return notes;
}
