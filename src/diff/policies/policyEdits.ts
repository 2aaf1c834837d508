import { pushAll } from '../../common/pushAll.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { comparePolicyNft } from '../../compare/comparePolicies.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Direction } from '../../model/netPolicy.ts';
import { readPolicyModel } from '../../model/policyModel.ts';
import { noNetwork } from '../../node/networkFacts.ts';
import { expectedPolicyNft } from '../../pipeline/expected/expectedPolicies.ts';
import { nodePolicies } from '../../policy/nodePolicies.ts';
import { type CompiledPolicies, nodeNamed, whyNotCompared } from './diffPolicies.ts';
import { endsText, type PodNames, podNames } from './endsText.ts';
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

/** Connections that the policies of these Pods allow or deny from then on, and did not before. */
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
 * address afterwards, as invented ones may, addresses stand for other Pods: then only the rules are compared.
 */
export function policyEdits(before: CompiledPolicies, after: CompiledPolicies): PolicyEdits {
  const [old, young] = [readPolicyModel(before.policyManifests), readPolicyModel(after.policyManifests)];
  const [oldNode, node] = [nodeNamed(before, old), nodeNamed(after, young)];
  const why = whyNotCompared(old, oldNode) ?? whyNotCompared(young, node);
  if (why !== undefined) return { edits: [], changes: [], notes: [`policies were not compared: ${why}`] };
  const edits = new Map<string, Draft>();
  const changes: RuleChange[] = [];
  const names = podNames(young);
  const { localAddresses } = nodePolicies(young, node.node);
  const known = new Map(old.pods.map(({ id, ips }) => [id, ips.join()]));
  const haveMoved = young.pods.some(({ id, ips }) => known.has(id) && known.get(id) !== ips.join());
  for (const family of ['ipv4', 'ipv6'] as const) {
    const was = expectedPolicyNft(old, family, { ...oldNode, ...habits });
    const is = expectedPolicyNft(young, family, { ...node, ...habits });
    const own = comparePolicyNft(was, is);
    pushAll(changes, own);
    if (own.length === 0 || haveMoved) continue;
    const sides = [nftSide(was, family, noNetwork, habits), nftSide(is, family, noNetwork, habits)] as const;
    for (const [address, pods] of localAddresses(family)) {
      for (const { id } of pods) if (known.has(id)) noteEdits(address, id, sides, names, edits);
    }
  }
  const notes = haveMoved && changes.length > 0 ? [addressesMoved] : [];
  return { edits: [...edits.values()].map(editOf), changes, notes };
}

const addressesMoved =
  'Pods have other addresses after the edit: `k8snet policy matrix -f` of both says who may connect';

/** Everything else is as we write policies if nothing is asked for. */
const habits = { unknownPods: 'allow', isBehindIpvs: false } as const;

interface Draft extends Omit<PolicyEdit, 'what'> {
  readonly ends: string;
  readonly pods: string[];
}

function noteEdits(
  address: string,
  pod: string,
  [was, is]: readonly [PolicySide, PolicySide],
  names: PodNames,
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

/** Policies of the other end may deny the same connections: each judges its own. */
function editOf({ ends, ...edit }: Draft): PolicyEdit {
  const pods = firstFew(edit.pods, mostPods);
  const lets = `${edit.pods.length === 1 ? 'lets' : 'let'} ${edit.direction === 'ingress' ? 'in' : 'out'}`;
  const these = `connections ${ends}`;
  const what =
    edit.becomes === 'allowed' ? `${pods} ${lets} ${these} afterwards` : `${pods} no longer ${lets} ${these}`;
  return { ...edit, what };
}

const mostPods = 3;
