import { count } from '../../common/text/count.ts';
import type { LabelSelector } from '../../model/labelSelector.ts';
import {
  type Direction,
  type NetPolicy,
  type NetPolicyPeers,
  type PodPeer,
  readNetPolicy,
} from '../../model/netPolicy.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { NetworkPolicyObject } from '../../validate/kinds/networkPolicyObjects.ts';
import type { Labels } from '../../validate/kinds/objectMeta.ts';
import type { LintContext, LintedPodSpec } from '../lintContext.ts';
import { nearestSpec } from '../nearestSpec.ts';
import { type PolicyGround, policyGround } from './policyGround.ts';

/** Policies that select no Pod, and rules whose peers or named ports nobody has. Where Pods are not given nothing is said. */
export function policySelectors(context: LintContext): void {
  const { networkPolicies } = context.cluster.manifests;
  if (networkPolicies.length === 0) return;
  const ground = policyGround(context);
  for (const manifest of networkPolicies) {
    const policy = readNetPolicy(manifest);
    const about = { context, ground, manifest, policy };
    const selected = ground.selectedBy(policy);
    if (selected?.length === 0) checkSelector(about);
    for (const direction of ['ingress', 'egress'] as const) {
      checkPeers(about, direction);
      checkPorts(about, direction, selected);
    }
  }
}

interface About {
  readonly context: LintContext;
  readonly ground: PolicyGround;
  readonly manifest: Manifest<NetworkPolicyObject>;
  readonly policy: NetPolicy;
}

function checkSelector({ context, ground, manifest, policy }: About): void {
  const present = ground.podsOf(policy.namespace) ?? [];
  const near = nearestSpec(plainLabels(policy.podSelector), present);
  context.complain(manifest, {
    code: 'policy-selects-nothing',
    path: ['spec', 'podSelector'],
    message: `policy ${policy.id} selects no Pod: none of namespace ${policy.namespace} (${count(present.length, 'object')}) is selected by ${policy.podSelector.text}`,
    ...(near !== undefined && { hint: near }),
  });
}

const sides = { ingress: 'from', egress: 'to' } as const;

function checkPeers({ context, ground, manifest, policy }: About, direction: Direction): void {
  for (const [index, { peers }] of (policy[direction] ?? []).entries()) {
    // Of a list of blocks alone there is nothing to ask, and it may be long.
    for (const [at, peer] of (peers === undefined || peers.pods.length === 0 ? [] : peers.all).entries()) {
      if (peer.kind !== 'pods') continue;
      const unlabelled = peer.namespaces && unlabelledNamespace(peer.namespaces, ground);
      const isNobody = unlabelled !== undefined || ground.found(policy, peer)?.length === 0;
      if (!isNobody) continue;
      const hint = unlabelled ?? nearPeer(policy, peer, ground);
      context.complain(manifest, {
        code: 'policy-peer-matches-nothing',
        path: ['spec', direction, index, sides[direction], at],
        message: `policy ${policy.id} names a peer that finds no Pod: ${peerText(policy, peer)}`,
        ...(hint !== undefined && { hint }),
      });
    }
  }
}

/** `name: monitoring`, where the Namespace monitoring has no label `name`: only one label is set by itself. */
function unlabelledNamespace({ requirements }: LabelSelector, { namespaces }: PolicyGround): string | undefined {
  for (const { key, operator, values } of requirements) {
    const [name = '', ...more] = values;
    const labels = namespaces.get(name);
    if (operator !== 'In' || more.length > 0 || labels === undefined || Object.hasOwn(labels, key)) continue;
    const isNobodys = [...namespaces.values()].every((own) => own[key] !== name);
    if (isNobodys) {
      return `Namespace ${name} has no label ${key}; Kubernetes itself sets kubernetes.io/metadata.name: ${name}`;
    }
  }
  return undefined;
}

function nearPeer({ namespace }: NetPolicy, peer: PodPeer, ground: PolicyGround): string | undefined {
  if (peer.namespaces !== undefined) return undefined;
  const wanted = plainLabels(peer.pods);
  const near = nearestSpec(wanted, ground.podsOf(namespace) ?? []);
  for (const other of ground.namespaces.keys()) {
    if (other === namespace) continue;
    const found = ground.podsOf(other)?.find(({ labels }) => hasAll(labels, wanted));
    if (found !== undefined) {
      return `${found.title} has these labels: a podSelector without namespaceSelector finds Pods of the policy's own namespace alone`;
    }
  }
  return near;
}

function hasAll(labels: Labels, wanted: Labels): boolean {
  const pairs = Object.entries(wanted);
  return pairs.length > 0 && pairs.every(([key, value]) => labels[key] === value);
}

function peerText({ namespace }: NetPolicy, { namespaces, pods }: PodPeer): string {
  const where =
    namespaces === undefined
      ? `in namespace ${namespace}`
      : namespaces.text === ''
        ? 'in all namespaces'
        : `in namespaces with ${namespaces.text}`;
  return `${pods.text === '' ? 'all Pods' : `Pods with ${pods.text}`} ${where}`;
}

/** Names of ports are those of the receiving Pods. */
function checkPorts(
  { context, ground, manifest, policy }: About,
  direction: Direction,
  selected: readonly LintedPodSpec[] | undefined,
): void {
  for (const [index, { peers, ports }] of (policy[direction] ?? []).entries()) {
    if (!ports?.some(({ kind }) => kind === 'named')) continue;
    const receivers = direction === 'ingress' ? selected : foundByAll(policy, peers, ground);
    if (receivers === undefined || receivers.length === 0) continue;
    for (const [at, port] of ports.entries()) {
      if (port.kind !== 'named') continue;
      const named = receivers.flatMap(namedPorts);
      if (named.includes(`${port.name}/${port.protocol}`)) continue;
      const offered = [...new Set(named)];
      context.complain(manifest, {
        code: 'policy-port-unknown',
        path: ['spec', direction, index, 'ports', at, 'port'],
        message: `policy ${policy.id} allows port ${port.name}/${port.protocol}, and none of the Pods that it is about (${firstTitle(receivers)}) has a port of that name`,
        hint: offered.length === 0 ? 'no container of these Pods names a port' : `they name ${offered.join(', ')}`,
      });
    }
  }
}

/** Undefined: others may be meant too. */
function foundByAll(policy: NetPolicy, peers: NetPolicyPeers | undefined, ground: PolicyGround) {
  if (peers === undefined || peers.blocks.length > 0) return undefined;
  const lists = peers.pods.map((peer) => ground.found(policy, peer));
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known.flat() : undefined;
}

function namedPorts({ containers, spec }: LintedPodSpec): readonly string[] {
  const sidecars = (spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...containers, ...sidecars].flatMap(({ ports }) =>
    (ports ?? []).flatMap(({ name, protocol }) => (name ? [`${name}/${protocol ?? 'TCP'}`] : [])),
  );
}

function firstTitle([first, ...more]: readonly LintedPodSpec[]): string {
  return more.length === 0 ? (first?.title ?? '') : `${first?.title} and ${more.length} more`;
}

/** Labels that a selector asks for with one value. */
function plainLabels({ requirements }: LabelSelector): Labels {
  return Object.fromEntries(
    requirements.flatMap(({ key, operator, values: [value, ...more] }) =>
      operator === 'In' && value !== undefined && more.length === 0 ? [[key, value]] : [],
    ),
  );
}
