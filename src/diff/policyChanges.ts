import { firstFew } from '../common/text/firstFew.ts';
import { comparePolicyIptables, comparePolicyNft } from '../compare/comparePolicies.ts';
import { type IptablesPolicies, iptablesPolicies } from '../compare/iptablesPolicies.ts';
import { looksStrict } from '../compare/looksStrict.ts';
import type { PolicyDifference } from '../compare/policyDifference.ts';
import { iptablesPolicyHabits, nftPolicyHabits } from '../compare/policyHabits.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import { isPolicyChain, policyTable } from '../netfilter/policyParts.ts';
import { ledTo } from '../node/ledTo.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { expectedPolicyIptables, expectedPolicyNft } from '../pipeline/expected/expectedPolicies.ts';
import { factsCommand, factsText } from '../policy/missing/missingFact.ts';
import { missingPolicyFacts } from '../policy/missing/missingPolicyFacts.ts';
import { nodePolicies } from '../policy/nodePolicies.ts';
import { policyCoverage } from '../policy/policyCoverage.ts';
import { rulelessParts } from '../policy/rules/rulelessParts.ts';
import { lostPolicies } from './lostPolicies.ts';

/**
 * Compares by the purpose of chains: for which Pod, for which policy. Manifests do not say how the rules deny and log,
 * so this comes from the dump. Other programs enforce policies too: missing rules of ours or of kube-router's are not a
 * difference, unless part of them is there.
 */
export function policyChanges(compiled: Compiled, dump: NodeRules): PolicyDifference {
  if (policiesGiven(compiled.policyManifests) === 0) return { changes: [], notes: [] };
  const model = readPolicyModel(compiled.policyManifests);
  const { name } = compiled.model.node;
  const node = model.nodes.some((each) => each.name === name) ? { node: name } : {};
  const [ruleless] = rulelessParts(model);
  if (ruleless !== undefined) return { changes: [], notes: [`policies were not compared: ${ruleless.message}`] };
  const facts = missingPolicyFacts(model, node.node);
  if (facts.length > 0) {
    const note = `policies were not compared: the input does not show ${factsText(facts)}; give what \`${factsCommand(facts)}\` prints`;
    return { changes: [], notes: [note] };
  }
  const silent = policyCoverage(model, node.node).withoutAddress;
  if (silent.length > 0) {
    const note = `policies were not compared: they select ${firstFew(silent, mostNamed)}, without an address in the input; give what \`kubectl get pods -A -o yaml\` prints`;
    return { changes: [], notes: [note] };
  }
  const changes: RuleChange[] = [];
  const notes: string[] = [];
  for (const rules of dump.iptables) {
    const filter = rules.tables.get('filter');
    if (filter === undefined || ![...filter.chains.keys()].some(isPolicyChain)) continue;
    const sets = dump.ipsets.find(({ family }) => family === rules.family);
    const best = bestLayout(compiled, model, node, iptablesPolicies(rules.family, filter, sets));
    for (const change of best.found) changes.push(change);
    notes.push(`rules of policies were compared in the ${best.layout} layout${sets ? '' : ', without their sets'}`);
  }
  for (const { family, tables } of dump.nft) {
    const whole = tables.get(policyTable(family));
    if (whole === undefined) continue;
    const table = { ...whole, chains: ledTo(whole) ?? whole.chains };
    const expected = expectedPolicyNft(model, family, { ...node, ...nftPolicyHabits(table) });
    for (const change of comparePolicyNft(expected, table)) changes.push(change);
  }
  const lost = lostPolicies(nodePolicies(model, node.node), dump);
  return { changes: [...withPods(changes, model), ...lost.changes], notes: [...notes, ...lost.notes] };
}

const mostNamed = 5;

interface ComparedLayout {
  readonly layout: 'strict' | 'kube-router';
  readonly found: readonly RuleChange[];
}

/**
 * The rules do not name their layout: the one with fewer differences is chosen, `strict` if both have as many. The likely
 * one comes first, and the other one is compared until it has more.
 */
function bestLayout(
  compiled: Compiled,
  model: PolicyModel,
  node: { readonly node?: string },
  found: IptablesPolicies,
): ComparedLayout {
  const options = { ...node, ...iptablesPolicyHabits(found) };
  const compare = (layout: ComparedLayout['layout'], most: number): ComparedLayout => {
    const { filter, sets } = expectedPolicyIptables(compiled, model, found.family, layout, options);
    const expected = iptablesPolicies(found.family, filter, sets);
    return { layout, found: firstOf(comparePolicyIptables(expected, found, layout === 'strict'), most) };
  };
  const [first, second] = looksStrict(found)
    ? (['strict', 'kube-router'] as const)
    : (['kube-router', 'strict'] as const);
  const likely = compare(first, Number.POSITIVE_INFINITY);
  const enough = likely.found.length + (second === 'strict' ? 1 : 0);
  const other = enough === 0 ? likely : compare(second, enough);
  return other.found.length < enough ? other : likely;
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
