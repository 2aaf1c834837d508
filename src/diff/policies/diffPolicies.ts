import type { Family } from '../../common/addresses/family.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { comparePolicyIptables, comparePolicyNft } from '../../compare/comparePolicies.ts';
import { type IptablesPolicies, iptablesPolicies } from '../../compare/iptablesPolicies.ts';
import { layoutShown } from '../../compare/layoutShown.ts';
import { iptablesPolicyHabits, nftPolicyHabits } from '../../compare/policyHabits.ts';
import { podOfRole } from '../../compare/policyRoles.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Finding } from '../../findings/finding.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import { type PolicyModel, readPolicyModel } from '../../model/policyModel.ts';
import { isPolicyChain, policyTable } from '../../netfilter/policyParts.ts';
import { ledTo } from '../../node/ledTo.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import {
  type ExpectedPoliciesOptions,
  expectedPolicyIptables,
  expectedPolicyNft,
} from '../../pipeline/expected/expectedPolicies.ts';
import { factsCommand, factsText } from '../../policy/missing/missingFact.ts';
import { missingPolicyFacts } from '../../policy/missing/missingPolicyFacts.ts';
import { nodePolicies } from '../../policy/nodePolicies.ts';
import { policyCoverage } from '../../policy/policyCoverage.ts';
import { rulelessParts } from '../../policy/rules/rulelessParts.ts';
import { aboutIptables, aboutNft } from './changeAbout.ts';
import type { ComparedPolicies } from './comparedPolicies.ts';
import { explainPolicies } from './explainPolicies.ts';
import { lostPolicies } from './lostPolicies.ts';
import { chainsOfRoles, iptablesSide, nftSide } from './policySide.ts';

/** What a compilation has for policies. */
export type CompiledPolicies = Pick<Compiled, 'policyManifests' | 'plans'> & {
  readonly model: { readonly node: { readonly name: string } };
};

/** A difference between the policies of the manifests and the rules of a dump that enforce policies, ours or kube-router's. */
export interface DiffedPolicies {
  readonly findings: readonly Finding[];
  /** Rules that no finding explains. */
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
}

/**
 * Compares by the purpose of chains: for which Pod, for which policy. Manifests do not say how the rules deny and log,
 * so this comes from the dump. Other programs enforce policies too: missing rules of ours or of kube-router's are not a
 * difference, unless part of them is there. `isPart`: the objects may be those of some namespaces alone.
 */
export function diffPolicies(compiled: CompiledPolicies, dump: NodeRules, isPart = false): DiffedPolicies {
  const { policyManifests } = compiled;
  if (policiesGiven(policyManifests) === 0) return { findings: [], changes: [], notes: [] };
  const model = readPolicyModel(policyManifests);
  const node = nodeNamed(compiled, model);
  const why = whyNotCompared(model, node);
  if (why !== undefined) return { findings: [], changes: [], notes: [`policies were not compared: ${why}`] };
  const iptables = compareIptables(compiled, model, dump, node);
  const all = [...iptables.compared, ...compareNft(model, dump, node)].map((one) => ({
    ...one,
    changes: withPods(isPart ? withoutOtherPods(one.changes, model) : one.changes, model),
  }));
  const policies = nodePolicies(model, node.node);
  // What a part of a table does with a packet is unknown.
  const ofParts = all.filter(({ isWhole }) => !isWhole).flatMap((one) => one.changes);
  const whole = all.filter(({ isWhole }) => isWhole);
  const { findings, changes } = explainPolicies(whole, policies);
  const lost = lostPolicies(policies, dump);
  return {
    findings: [...lost.findings, ...findings],
    changes: [...ofParts, ...changes],
    notes: [...iptables.notes, ...lost.notes],
  };
}

/** The node whose rules these are, if it is among the manifests; otherwise all Pods count. */
export function nodeNamed(compiled: CompiledPolicies, { nodes }: PolicyModel): NodeNamed {
  const { name } = compiled.model.node;
  return nodes.some((each) => each.name === name) ? { node: name } : {};
}

export type NodeNamed = Pick<ExpectedPoliciesOptions, 'node'>;

/** What keeps rules from being worked out; undefined: nothing. */
export function whyNotCompared(model: PolicyModel, { node }: NodeNamed): string | undefined {
  const [ruleless] = rulelessParts(model);
  if (ruleless !== undefined) return ruleless.message;
  const facts = missingPolicyFacts(model, node);
  if (facts.length > 0)
    return `the input does not show ${factsText(facts)}; give what \`${factsCommand(facts)}\` prints`;
  const silent = policyCoverage(model, node).withoutAddress;
  return silent.length === 0
    ? undefined
    : `they select ${firstFew(silent, mostNamed)}, without an address in the input; give what \`kubectl get pods -A -o yaml\` prints`;
}

const mostNamed = 5;

function compareIptables(
  compiled: CompiledPolicies,
  model: PolicyModel,
  dump: NodeRules,
  node: NodeNamed,
): { readonly compared: readonly ComparedPolicies[]; readonly notes: readonly string[] } {
  const compared: ComparedPolicies[] = [];
  const notes: string[] = [];
  for (const rules of dump.iptables) {
    const filter = rules.tables.get('filter');
    if (filter === undefined || ![...filter.chains.keys()].some(isPolicyChain)) continue;
    const sets = dump.ipsets.find(({ family }) => family === rules.family);
    const found = iptablesPolicies(rules.family, filter, sets);
    const habits = iptablesPolicyHabits(found);
    const options = { ...node, ...habits };
    const best = bestLayout(compiled, model, options, found);
    notes.push(`rules of policies were compared in the ${best.layout} layout${sets ? '' : ', without their sets'}`);
    if (best.changes.length === 0) continue;
    const sides = [
      iptablesSide(best.expected, dump.network, habits),
      iptablesSide(found, dump.network, habits),
    ] as const;
    const chainsOf = chainsOfRoles([best.expected, found], best.layout === 'strict');
    const exact =
      best.layout === 'kube-router' ? expectedLayout(compiled, model, rules.family, 'strict', options) : undefined;
    compared.push({
      family: rules.family,
      isWhole: filter.isWhole,
      changes: best.changes,
      expected: sides[0],
      found: sides[1],
      ...(exact !== undefined && { exact: iptablesSide(exact, dump.network, habits) }),
      aboutOf: (change) => aboutIptables(change, sides, chainsOf),
    });
  }
  return { compared, notes };
}

function compareNft(model: PolicyModel, { nft, network }: NodeRules, node: NodeNamed): readonly ComparedPolicies[] {
  return nft.flatMap(({ family, tables }): readonly ComparedPolicies[] => {
    const whole = tables.get(policyTable(family));
    if (whole === undefined) return [];
    const table = { ...whole, chains: ledTo(whole) ?? whole.chains };
    const habits = nftPolicyHabits(table);
    const expected = expectedPolicyNft(model, family, { ...node, ...habits });
    const changes = comparePolicyNft(expected, table);
    if (changes.length === 0) return [];
    const sides = [nftSide(expected, family, network, habits), nftSide(table, family, network, habits)] as const;
    const aboutOf = (change: RuleChange) => aboutNft(change, sides);
    return [{ family, isWhole: whole.isWhole, changes, expected: sides[0], found: sides[1], aboutOf }];
  });
}

interface ComparedLayout {
  readonly layout: 'strict' | 'kube-router';
  readonly expected: IptablesPolicies;
  readonly changes: readonly RuleChange[];
}

/**
 * Where the rules do not show their layout, it is the one with fewer differences, `strict` if both have as many: that one is
 * compared until it has more.
 */
function bestLayout(
  compiled: CompiledPolicies,
  model: PolicyModel,
  options: ExpectedPoliciesOptions,
  found: IptablesPolicies,
): ComparedLayout {
  const compare = (layout: ComparedLayout['layout'], most: number): ComparedLayout => {
    const expected = expectedLayout(compiled, model, found.family, layout, options);
    return { layout, expected, changes: firstOf(comparePolicyIptables(expected, found, layout === 'strict'), most) };
  };
  const shown = layoutShown(found);
  const likely = compare(shown ?? 'kube-router', Number.POSITIVE_INFINITY);
  if (shown !== undefined) return likely;
  const most = likely.changes.length + 1;
  const other = compare('strict', most);
  return other.changes.length < most ? other : likely;
}

function expectedLayout(
  compiled: CompiledPolicies,
  model: PolicyModel,
  family: Family,
  layout: ComparedLayout['layout'],
  options: ExpectedPoliciesOptions,
): IptablesPolicies {
  const { filter, sets } = expectedPolicyIptables(compiled, model, family, layout, options);
  return iptablesPolicies(family, filter, sets);
}

/** The first of these, and no more are worked out. */
function firstOf<T>(all: Iterable<T>, most: number): readonly T[] {
  const first: T[] = [];
  for (const one of all) {
    first.push(one);
    if (first.length >= most) break;
  }
  return first;
}

/** Addresses of set members with the Pods that have them. */
function withPods(changes: readonly RuleChange[], { pods }: PolicyModel): readonly RuleChange[] {
  const owners = new Map(pods.flatMap(({ id, ips }) => ips.map((ip) => [ip, id] as const)));
  const named = (text: string) => {
    const owner = owners.get(text.split(' ', 1)[0]?.split(',', 1)[0] ?? '');
    return owner === undefined ? text : `${text} (${owner})`;
  };
  return changes.map(({ expected, found, ...rest }) => ({
    ...rest,
    ...(expected === undefined ? {} : { expected: named(expected) }),
    ...(found === undefined ? {} : { found: named(found) }),
  }));
}

/** Without what the dump holds for Pods of namespaces of which the objects have none. */
function withoutOtherPods(changes: readonly RuleChange[], { pods }: PolicyModel): readonly RuleChange[] {
  const namespaces = new Set(pods.map(({ namespace }) => namespace));
  return changes.filter((change) => {
    const pod = change.expected === undefined ? podOfRole(change) : undefined;
    return pod === undefined || namespaces.has(pod.slice(0, pod.indexOf('/')));
  });
}
