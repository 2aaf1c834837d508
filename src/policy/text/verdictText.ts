import type { NetPolicy, NetPolicyPeer, NetPolicyRule } from '../../model/netPolicy.ts';
import { matchText } from '../cluster/clusterText.ts';
import { factsCommand, factsText, type MissingFact } from '../missing/missingFact.ts';
import { openPortsText } from '../openPorts.ts';
import type { Party } from '../parties/party.ts';
import type { NearMiss, SideVerdict } from '../sideVerdict.ts';
import type { FlowCheck } from '../testPolicy.ts';
import { portText } from './portText.ts';

/** A check in words: the answer, and for each side the policy, rule, peer and port that decided. */
export function checkText(check: FlowCheck): string {
  const { from, to, via, flow, end, verdict, open } = check;
  const port =
    flow === undefined ? '' : flow.protocol === 'ICMP' ? ' icmp' : ` ${flow.port}/${flow.protocol.toLowerCase()}`;
  const service = via === undefined ? '' : ` (through Service ${via})`;
  const head = `${answerText(check)}: ${partyText(from)} -> ${partyText(to)}${port}${service}`;
  if (verdict === undefined) return `${head}\n  open ports: ${open === undefined ? 'none' : openPortsText(open)}\n`;
  const egress = sideLines('egress', verdict.egress);
  const sides =
    end === undefined
      ? [...egress, ...sideLines('ingress', verdict.ingress)]
      : [`kube-proxy: ${end.kind}: ${endReasons[end.why]}`, ...(verdict.egress.kind === 'denied' ? egress : [])];
  if (flow !== undefined && flow.from.ip !== from.ip) {
    sides.push(`the receiver sees ${partyText(flow.from)}, which passes it on`);
  }
  return `${head}\n${sides.map((line) => `  ${line}\n`).join('')}`;
}

function answerText({ isAllowed, isUnknown, end, verdict }: FlowCheck): string {
  if (end !== undefined) return end.kind === 'refused' ? 'refused' : 'dropped by kube-proxy';
  if (isUnknown)
    return verdict === undefined || verdict.byRules === 'unknown'
      ? 'unknown'
      : `unknown (${verdict.byRules} by Kubernetes' own policies alone)`;
  return isAllowed ? 'allowed' : 'denied';
}

function unknownLines(
  direction: 'egress' | 'ingress',
  { policies, facts, ties }: Extract<SideVerdict, { kind: 'unknown' }>,
): readonly string[] {
  const lines = ties.flatMap((tie) => [
    `${direction}: unknown: policies of equal priority match and disagree, and a cluster may take any of them`,
    ...tie.map((match) => `  ${match.policy[direction][match.rule]?.action}: ${matchText(direction, match)}`),
  ]);
  if (facts.length === 0) return lines;
  const ids = policies.map(({ id }) => id).join(', ');
  const command = factsCommand(facts);
  return [
    ...lines,
    `${direction}: unknown: the input does not show ${factsText(facts)}, and ${ids} ${policies.length === 1 ? 'asks' : 'ask'} for them`,
    ...(command === undefined ? [] : [`  to see them: ${command}${facts.some(isAssumable) ? assumption : ''}`]),
  ];
}

const assumption = '; --assume-empty-labels takes them for empty';

/** What a flag may take for nothing. */
function isAssumable({ kind }: MissingFact): boolean {
  return kind !== 'nodeLabels' && kind !== 'domainAddresses';
}

const endReasons = {
  noEndpoints: 'the Service has no ready endpoints',
  noLocalEndpoints: 'the Service has no endpoint on this node, and its traffic policy is Local',
  sourceRanges: 'the sender is in none of loadBalancerSourceRanges',
} as const;

function partyText({ ip, pods, node }: Party): string {
  if (pods.length > 0) return `${pods.map(({ id }) => id).join(' and ')} (${ip})`;
  return node === undefined ? ip : `node ${node.name} (${ip})`;
}

/** `egress: denied by …`, with the rules that passed it on before. */
export function sideLines(direction: 'egress' | 'ingress', side: SideVerdict): readonly string[] {
  const passed = (side.passed ?? []).map((match) => `${direction}: passed on by ${matchText(direction, match)}`);
  return [...passed, ...endLines(direction, side)];
}

function endLines(direction: 'egress' | 'ingress', side: SideVerdict): readonly string[] {
  if (side.kind === 'unknown') return unknownLines(direction, side);
  if (side.why === 'clusterRule') {
    return [`${direction}: ${side.kind} by ${matchText(direction, side)}`];
  }
  if (side.kind === 'denied') {
    const ids = side.policies.map(({ id }) => id).join(', ');
    return [
      `${direction}: denied: isolated by ${ids}, and no rule allows this`,
      ...side.nearMisses.map((miss) => `  ${nearMissText(direction, miss)}`),
    ];
  }
  switch (side.why) {
    case 'notAPod':
      return [
        `${direction}: allowed: ${direction === 'egress' ? 'the sender' : 'the receiver'} is not a pod with its own address`,
      ];
    case 'self':
      return [`${direction}: allowed: a pod reaches itself`];
    case 'residentNode':
      return [`${direction}: allowed: a node reaches the pods that run on it`];
    case 'icmp':
      return [`${direction}: allowed: ICMP is let through everywhere (--icmp allow)`];
    case 'anyway':
      return [`${direction}: allowed: what the input does not show could not change it`];
    case 'notIsolated':
      return [`${direction}: allowed: no policy isolates the pod in this direction`];
    case 'unmatched':
      return [`${direction}: allowed: no NetworkPolicy isolates the pod, and no rule of a cluster-wide policy matches`];
    case 'rule': {
      const { policy, rule, peer, port } = side;
      const written = policy[direction]?.[rule];
      const peerPart = peer === undefined ? 'anyone' : peerText(written?.peers?.all[peer], policy);
      const portPart = port === undefined ? 'any port' : portText(written?.ports?.[port]);
      return [`${direction}: allowed by ${policy.id}, ${place(direction, rule, peer, port)}: ${peerPart}, ${portPart}`];
    }
  }
}

function nearMissText(direction: 'egress' | 'ingress', { policy, rule, misses }: NearMiss): string {
  const written: NetPolicyRule | undefined = policy[direction]?.[rule];
  const what =
    misses === 'port'
      ? `the peer matches, but the port does not: ${(written?.ports ?? []).map(portText).join(', ')}`
      : `the port matches, but the peer does not: ${(written?.peers?.all ?? []).map((peer) => peerText(peer, policy)).join(', or ')}`;
  return `${policy.id}, ${direction}[${rule}]: ${what}`;
}

function place(direction: string, rule: number, peer: number | undefined, port: number | undefined): string {
  const list = direction === 'ingress' ? 'from' : 'to';
  const parts = [`${direction}[${rule}]`];
  if (peer !== undefined) parts.push(`${list}[${peer}]`);
  if (port !== undefined) parts.push(`ports[${port}]`);
  return parts.join(' ');
}

/** A peer in words. */
export function peerText(peer: NetPolicyPeer | undefined, policy: NetPolicy): string {
  if (peer === undefined || peer.kind === 'nobody') return 'nobody';
  if (peer.kind === 'ipBlock') {
    const except = peer.except.map(({ text }) => text);
    return `addresses in ${peer.cidr.text}${except.length === 0 ? '' : ` except ${except.join(', ')}`}`;
  }
  const pods = peer.pods.text === '' ? 'all pods' : `pods with ${peer.pods.text}`;
  if (peer.namespaces === undefined) return `${pods} in namespace ${policy.namespace}`;
  return peer.namespaces.text === ''
    ? `${pods} in any namespace`
    : `${pods} in namespaces with ${peer.namespaces.text}`;
}
