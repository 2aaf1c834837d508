import { addTo } from '../../common/addTo.ts';
import { selectsLabels } from '../../model/labelSelector.ts';
import { type NetPolicy, type NetPolicyRule, readNetPolicy } from '../../model/netPolicy.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { NetworkPolicyObject } from '../../validate/kinds/networkPolicyObjects.ts';
import type { LintContext, LintedPodSpec } from '../lintContext.ts';
import { type PolicyGround, policyGround } from './policyGround.ts';

/** Rules that mean nothing or more than they seem to, and Pods that policies together leave without DNS. */
export function policyRules(context: LintContext): void {
  const { networkPolicies } = context.cluster.manifests;
  if (networkPolicies.length === 0) return;
  const ground = policyGround(context);
  const read = networkPolicies.map((manifest) => ({ manifest, policy: readNetPolicy(manifest) }));
  const byNamespace = new Map<string, NetPolicy[]>();
  for (const { policy } of read) addTo(byNamespace, policy.namespace, policy);
  for (const { manifest, policy } of read) {
    checkTypes(context, manifest, policy);
    checkDns(context, manifest, policy, byNamespace.get(policy.namespace) ?? [], ground);
  }
}

function checkTypes({ complain }: LintContext, manifest: Manifest<NetworkPolicyObject>, policy: NetPolicy): void {
  const { id, ignoredRules, hasDefaultTypes, ingress, egress } = policy;
  for (const direction of ignoredRules) {
    const type = direction === 'ingress' ? 'Ingress' : 'Egress';
    complain(manifest, {
      code: 'policy-rules-ignored',
      path: ['spec', direction],
      message: `the ${direction} rules of policy ${id} mean nothing: its policyTypes do not name ${type}`,
      hint: `add ${type} to spec.policyTypes, or remove the rules`,
    });
  }
  const isWritten = manifest.value.spec?.ingress != null;
  if (hasDefaultTypes && !isWritten && ingress?.length === 0 && egress !== undefined && egress.length > 0) {
    complain(manifest, {
      code: 'policy-isolates-ingress',
      path: ['spec'],
      message: `policy ${id} has egress rules alone and no policyTypes: it is for ingress too, and allows none`,
      hint: 'if only egress is meant, write policyTypes: [Egress]',
    });
  }
}

/** Once for each policy that lets Pods out somewhere: who denies everything means it. */
function checkDns(
  { complain }: LintContext,
  manifest: Manifest<NetworkPolicyObject>,
  policy: NetPolicy,
  all: readonly NetPolicy[],
  ground: PolicyGround,
): void {
  if (policy.egress === undefined || policy.egress.length === 0) return;
  if (policy.egress.some((rule) => mayReachDns(policy, rule, ground))) return;
  const [first] = ground.selectedBy(policy) ?? [];
  if (first === undefined || !isCutOff(first, all, ground)) return;
  complain(manifest, {
    code: 'policy-blocks-dns',
    path: ['spec', 'egress'],
    message: `no egress rule of policy ${policy.id}, nor of others for the same Pods, lets ${first.title} reach port 53: it cannot resolve names`,
    hint: 'allow port 53 of UDP and TCP to the Pods of the cluster’s DNS, in the namespace kube-system',
  });
}

function isCutOff({ labels }: LintedPodSpec, all: readonly NetPolicy[], ground: PolicyGround): boolean {
  return all.every(
    (policy) =>
      !selectsLabels(policy.podSelector, labels) ||
      !(policy.egress ?? []).some((rule) => mayReachDns(policy, rule, ground)),
  );
}

/** Named ports may be 53; Pods in the same namespace are not the cluster's DNS, unless one has that port. */
function mayReachDns(policy: NetPolicy, { peers, ports }: NetPolicyRule, ground: PolicyGround): boolean {
  const isPortOpen =
    ports === undefined ||
    ports.some((port) => port.protocol !== 'SCTP' && (port.kind === 'named' || (port.first <= 53 && port.last >= 53)));
  if (!isPortOpen) return false;
  if (peers === undefined || peers.blocks.length > 0 || policy.namespace === 'kube-system') return true;
  return peers.pods.some(
    (peer) => peer.namespaces !== undefined || (ground.found(policy, peer)?.some(servesDns) ?? true),
  );
}

function servesDns({ containers }: LintedPodSpec): boolean {
  return containers.some(({ ports }) => (ports ?? []).some(({ containerPort }) => containerPort === 53));
}
