import { firstFew } from '../../common/text/firstFew.ts';
import { comparePolicyNft } from '../../compare/comparePolicies.ts';
import type { PolicyHabits } from '../../compare/policyHabits.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Direction } from '../../model/netPolicy.ts';
import { type PolicyModel, readPolicyModel } from '../../model/policyModel.ts';
import { policyTable } from '../../netfilter/policyParts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { expectedPolicyNft } from '../../pipeline/expected/expectedPolicies.ts';
import { endsText, podNames } from './connectionsText.ts';
import { type CompiledPolicies, nodeNamed, whyNotCompared } from './diffPolicies.ts';
import { type Connections, gateDifference, type PolicySide } from './gateDifference.ts';
import { nftSide } from './policySide.ts';

/** What an edit of manifests does to the policies of one node. */
export interface PolicyEdits {
  readonly edits: readonly PolicyEdit[];
  /** Rules of nftables; `expected`: before the edit. */
  readonly changes: readonly RuleChange[];
  /** Why something is not known; without a full stop. */
  readonly notes: readonly string[];
}

/** Connections that the policies allow or deny from then on, and did not before. */
export interface PolicyEdit {
  /** `namespace/name`. */
  readonly pods: readonly string[];
  readonly direction: Direction;
  readonly becomes: 'allowed' | 'denied';
  /** A sentence without a full stop. */
  readonly what: string;
}

/**
 * The Pods of the node that both sides have are asked with all packets, by the rules before and after. If a Pod has another
 * address afterwards, as invented ones may, addresses stand for other Pods: then only the rules are compared. `network`:
 * interfaces and routes of the node, of which policies ask nothing.
 */
export function policyEdits(before: CompiledPolicies, after: CompiledPolicies, network: NodeRules): PolicyEdits {
  const [old, young] = [readPolicyModel(before.policyManifests), readPolicyModel(after.policyManifests)];
  const why = whyNotCompared(old, nodeNamed(before, old)) ?? whyNotCompared(young, nodeNamed(after, young));
  if (why !== undefined) return { edits: [], changes: [], notes: [`policies were not compared: ${why}`] };
  const edits = new Map<string, Draft>();
  const changes: RuleChange[] = [];
  const local = localPods(old, young, nodeNamed(after, young));
  for (const family of ['ipv4', 'ipv6'] as const) {
    const tableOf = (compiled: CompiledPolicies, model: PolicyModel) => {
      const node = nodeNamed(compiled, model);
      const table = expectedPolicyNft(model, family, { ...habits, ...(node !== undefined && { node }) });
      return table ?? { name: policyTable(family), isWhole: true, chains: new Map() };
    };
    const [was, is] = [tableOf(before, old), tableOf(after, young)];
    const own = comparePolicyNft(was, is);
    for (const change of own) changes.push(change);
    if (own.length === 0 || local === undefined) continue;
    const sides = [nftSide(was, family, network, habits), nftSide(is, family, network, habits)] as const;
    for (const [address, pod] of local) {
      if (address.includes(':') === (family === 'ipv6')) noteEdits(address, pod, sides, podNames(young), edits);
    }
  }
  const notes = local === undefined && changes.length > 0 ? [addressesMoved] : [];
  return { edits: [...edits.values()].map(editOf), changes, notes };
}

const addressesMoved =
  'Pods have other addresses after the edit: `k8snet policy matrix -f` of both says who may connect';

/** How we write policies if nothing else is asked for. */
const habits: PolicyHabits = {
  deny: 'drop',
  icmp: 'policy',
  hairpin: 'allow',
  hook: 'forward',
  unknownPods: 'allow',
  isHardened: false,
  isBehindIpvs: false,
};

/** Pods of the node that were there before, by address; undefined: a Pod of the cluster has another address. */
function localPods(
  old: PolicyModel,
  young: PolicyModel,
  node: string | undefined,
): ReadonlyMap<string, string> | undefined {
  const known = new Map(old.pods.map(({ id, ips }) => [id, ips.join()]));
  if (young.pods.some(({ id, ips }) => known.has(id) && known.get(id) !== ips.join())) return undefined;
  const own = young.pods.filter(
    (pod) =>
      known.has(pod.id) && !pod.isHostNetwork && (node === undefined || pod.node === undefined || pod.node === node),
  );
  return new Map(own.flatMap(({ id, ips }) => ips.map((ip) => [ip, id] as const)));
}

interface Draft extends Omit<PolicyEdit, 'what'> {
  readonly ends: string;
  readonly pods: string[];
}

function noteEdits(
  address: string,
  pod: string,
  [was, is]: readonly [PolicySide, PolicySide],
  names: ReturnType<typeof podNames>,
  edits: Map<string, Draft>,
): void {
  for (const direction of ['ingress', 'egress'] as const) {
    const difference = gateDifference({ address, direction }, is, was);
    const note = (becomes: PolicyEdit['becomes'], connections: readonly Connections[]) => {
      if (connections.length === 0) return;
      const ends = endsText(connections, difference, names);
      const key = `${direction} ${becomes} ${ends}`;
      const draft = edits.get(key) ?? { pods: [], direction, becomes, ends };
      edits.set(key, draft);
      if (!draft.pods.includes(pod)) draft.pods.push(pod);
    };
    // What the rules denied before, and do not deny any more.
    note('allowed', difference.denied);
    note('denied', difference.allowed);
  }
}

function editOf({ ends, ...edit }: Draft): PolicyEdit {
  const pods = firstFew(edit.pods, mostPods);
  const these = edit.direction === 'ingress' ? `connections ${ends} to ${pods}` : `connections from ${pods} ${ends}`;
  return { ...edit, what: `${these} are ${edit.becomes} afterwards` };
}

const mostPods = 3;
