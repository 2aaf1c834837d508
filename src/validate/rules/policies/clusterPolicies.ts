import type { JsonPath } from '../../../diagnostics/diagnostic.ts';
import { checkNetwork } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import { complainExperimental } from '../../fields/experimentalField.ts';
import { quote } from '../../fields/quote.ts';
import { checkSelector } from '../../fields/selectors.ts';
import type { ClusterPeerObject, ClusterPolicyObject, ClusterSubjectObject } from '../../kinds/clusterPolicyObjects.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests } from '../../kinds/manifests.ts';
import { checkPorts } from './clusterPolicyPorts.ts';

/**
 * Cluster-wide policies, by the rules that their CRDs carry beside the form: exactly one field of a subject, a peer or a
 * port; networks; names. What only the experimental channel has is taken, and said.
 */
export function clusterPolicies(manifests: Manifests, complain: Complain): void {
  for (const policy of manifests.clusterPolicies) {
    const { kind, metadata, spec } = policy.value;
    if (kind === 'BaselineAdminNetworkPolicy' && metadata.name && metadata.name !== 'default') {
      complain(policy, {
        code: 'bad-name',
        path: ['metadata', 'name'],
        message: `is ${quote(metadata.name)}: a cluster has one BaselineAdminNetworkPolicy, and its name is "default"`,
      });
    }
    checkSubject(policy, ['spec', 'subject'], spec.subject, 'namespaces or pods', complain);
    for (const [index, rule] of (spec.ingress ?? []).entries()) {
      checkRule(policy, ['spec', 'ingress', index], { ...rule, way: 'from', peers: rule.from }, complain);
    }
    for (const [index, rule] of (spec.egress ?? []).entries()) {
      checkRule(policy, ['spec', 'egress', index], { ...rule, way: 'to', peers: rule.to }, complain);
    }
  }
}

type RuleObject = (
  | NonNullable<ClusterPolicyObject['spec']['ingress']>[number]
  | NonNullable<ClusterPolicyObject['spec']['egress']>[number]
) & {
  readonly way: 'from' | 'to';
  readonly peers: readonly ClusterPeerObject[];
};

function checkRule(policy: Manifest<ClusterPolicyObject>, path: JsonPath, rule: RuleObject, complain: Complain): void {
  if (rule.name !== undefined && [...rule.name].length > 100) {
    complain(policy, {
      code: 'bad-name',
      path: [...path, 'name'],
      message: `has ${[...rule.name].length} characters, at most 100 are allowed`,
    });
  }
  for (const [index, peer] of rule.peers.entries()) checkPeer(policy, [...path, rule.way, index], peer, complain);
  const hasNamedPort = checkPorts(policy, path, rule, complain);
  const unnamed = rule.peers.findIndex(({ networks, nodes, domainNames }) => networks ?? nodes ?? domainNames);
  if (!hasNamedPort || unnamed < 0) return;
  // The standard CRD of v1alpha2 takes networks there; the experimental ones refuse all three.
  const isTaken = policy.value.kind === 'ClusterNetworkPolicy' && rule.peers[unnamed]?.networks !== undefined;
  complain(policy, {
    code: 'bad-policy-peer',
    ...(isTaken && { severity: 'warning' }),
    path: [...path, rule.way, unnamed],
    message: isTaken
      ? 'has networks beside a named port: only Pods have ports with names, and this matches nothing'
      : 'must not be networks, nodes or domainNames beside a named port: only Pods have ports with names',
  });
}

function checkPeer(
  policy: Manifest<ClusterPolicyObject>,
  path: JsonPath,
  peer: ClusterPeerObject,
  complain: Complain,
): void {
  checkSubject(policy, path, peer, 'namespaces, pods, networks, nodes or domainNames', complain);
  checkSelector(policy, [...path, 'nodes'], peer.nodes, complain);
  const seen = new Set<string>();
  for (const [index, text] of (peer.networks ?? []).entries()) {
    const network = checkNetwork(policy, [...path, 'networks', index], text, complain);
    if (network !== undefined && text.includes(':') && text.includes('.')) {
      complain(policy, {
        code: 'bad-network',
        path: [...path, 'networks', index],
        message: `${quote(text)} is an IPv4 network in an IPv6 one, which the CRDs refuse: write it as IPv4`,
      });
    }
    if (seen.has(text)) complainTwice(policy, [...path, 'networks', index], text, complain);
    seen.add(text);
  }
  for (const [index, name] of (peer.domainNames ?? []).entries()) {
    const place = [...path, 'domainNames', index];
    if (seen.has(name)) complainTwice(policy, place, name, complain);
    seen.add(name);
    if (domainName.test(name)) continue;
    complain(policy, {
      code: 'bad-name',
      path: place,
      message: `${quote(name)} is no domain name: it has at least two labels, and "*." may stand in front`,
    });
  }
  for (const field of ['nodes', 'domainNames'] as const) {
    if (peer[field] !== undefined) complainExperimental(policy, [...path, field], complain);
  }
}

function complainTwice(policy: Manifest<unknown>, path: JsonPath, text: string, complain: Complain): void {
  complain(policy, { code: 'bad-policy-peer', path, message: `${quote(text)} is given twice in one list` });
}

/** The CRDs' own pattern, with its slip: `A-z` holds `[\]^_` and the back quote as well. */
const domainName = /^(\*\.)?([a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.)+[a-zA-z0-9]([-a-zA-Z0-9_]*[a-zA-Z0-9])?\.?$/;

function checkSubject(
  policy: Manifest<unknown>,
  path: JsonPath,
  subject: ClusterSubjectObject,
  fields: string,
  complain: Complain,
): void {
  const given = Object.keys(subject).length;
  if (given !== 1) {
    const message = given === 0 ? `must have ${fields}` : `must have only one of ${fields}`;
    complain(policy, { code: 'bad-policy-peer', path, message });
  }
  checkSelector(policy, [...path, 'namespaces'], subject.namespaces, complain);
  checkSelector(policy, [...path, 'pods', 'namespaceSelector'], subject.pods?.namespaceSelector, complain);
  checkSelector(policy, [...path, 'pods', 'podSelector'], subject.pods?.podSelector, complain);
}
