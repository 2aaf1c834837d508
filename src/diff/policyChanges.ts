import { compareBytes } from '../common/compareBytes.ts';
import type { Family } from '../common/family.ts';
import type { PolicyDifference } from '../compare/policyDifference.ts';
import { policyDifferences } from '../compare/policyDifferences.ts';
import { type PolicyRoles, policyRoles } from '../compare/policyRoles.ts';
import type { RuleChange } from '../compare/ruleChange.ts';
import { type CompilePoliciesOptions, compilePolicies, type Texts } from '../emit/policy/compilePolicies.ts';
import type { PolicyLayout } from '../emit/policy/iptables/netpolNames.ts';
import { virtualAddresses } from '../emit/policy/iptables/virtualAddresses.ts';
import type { PolicyOptions } from '../emit/policy/policyOptions.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import { parseIpset } from '../netfilter/ipset/parseIpset.ts';
import { parseListing } from '../netfilter/nft/parseListing.ts';
import { chainPlace } from '../node/chainLines.ts';
import { ipsetRules } from '../node/ipvsRules.ts';
import { nftRules } from '../node/nftRules.ts';
import type { NodeRules, RuleTable, ToolRules } from '../node/nodeRules.ts';
import { type PlacedLine, placedLines } from '../node/placedLines.ts';
import { isPolicyChain, isPolicySet, policyTable } from '../node/policyParts.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { nodePolicies } from '../policy/nodePolicies.ts';
import { lostPolicies } from './lostPolicies.ts';

/**
 * Compares by what chains are for: of which pod, of which policy. How the dump's rules deny and log is not in the
 * manifests and is taken from the dump. Other programs enforce policies too: that there are no rules of ours or of
 * kube-router's is no difference, unless parts of them are there.
 */
export function policyChanges(compiled: Compiled, dump: NodeRules): PolicyDifference {
  if (compiled.policyManifests.networkPolicies.length === 0) return { changes: [], notes: [] };
  const model = readPolicyModel(compiled.policyManifests);
  const { name } = compiled.model.node;
  const node = model.nodes.some((each) => each.name === name) ? { node: name } : {};
  const virtual = new Map(compiled.plans.map((plan) => [plan.family, virtualAddresses(plan)]));
  const served = { ipv4: virtual.get('ipv4') ?? [], ipv6: virtual.get('ipv6') ?? [] };
  const changes: RuleChange[] = [];
  const notes: string[] = [];
  for (const set of dump.iptables) {
    const filter = set.tables.get('filter');
    if (filter !== undefined && [...filter.chains.keys()].some(isPolicyChain)) {
      const sets = dump.ipsets.find(({ family }) => family === set.family);
      const layouts = (['strict', 'kube-router'] as const).map((layout) => ({
        layout,
        found: iptablesChanges(model, { ...node, layout, virtualAddresses: served }, set.family, filter, sets),
      }));
      const best = layouts.reduce((one, other) => (other.found.length < one.found.length ? other : one));
      for (const change of best.found) changes.push(change);
      notes.push(`rules of policies were compared in the ${best.layout} layout${sets ? '' : ', without their sets'}`);
    }
  }
  for (const set of dump.nft) {
    const table = set.tables.get(policyTable(set.family));
    if (table !== undefined) for (const change of nftChanges(model, node, set.family, table)) changes.push(change);
  }
  const lost = lostPolicies(nodePolicies(model, node.node), dump);
  return { changes: [...changes, ...lost.changes], notes: [...notes, ...lost.notes] };
}

function iptablesChanges(
  model: PolicyModel,
  options: PolicyOptions & { readonly layout: PolicyLayout },
  family: Family,
  filter: RuleTable,
  sets: ToolRules | undefined,
): readonly RuleChange[] {
  const found = [...filter.chains.values()].flatMap(placedLines).filter(({ text }) => isOfPolicies.test(text));
  const text = found.map((line) => line.text).join('\n');
  const { virtualAddresses: served, ...own } = options;
  const virtual = served && text.includes('behind the translation of IPVS') ? { virtualAddresses: served } : {};
  const compiled = texts(model, { ...own, ...virtual, ...habitsOf(text), backends: ['iptables'] });
  const lines = inFamily(compiled.iptablesSave, family).split('\n');
  const isStrict = options.layout === 'strict';
  const expectedRoles = policyRoles(
    lines.filter((line) => isOfPolicies.test(line)).map((line) => ({ text: line })),
    isStrict,
  );
  const foundRoles = policyRoles(found, isStrict);
  const hook = filter.chains.get('KUBE-ROUTER-FORWARD');
  const around = hook === undefined ? found[0]?.place : chainPlace(hook)[0];
  const all = [...policyDifferences('filter', expectedRoles.chains, foundRoles.chains, around)];
  // Of a part of the table nobody can say what is missing.
  const changes = filter.isWhole ? all : all.filter((change) => change.found !== undefined);
  if (sets === undefined) return changes;
  const state = parseIpset(inFamily(compiled.ipsetSave, family), () => undefined);
  const expectedSets = ipsetRules(state, '').find((set) => set.family === family);
  // Sets that no rule of the dump asks have their owner's name too, where one is expected.
  const owners = new Map([...expectedRoles.setOwners, ...foundRoles.setOwners]);
  const should = membersOf(expectedSets, expectedRoles);
  const is = membersOf(sets, { roles: foundRoles.roles, setOwners: owners });
  const first = [...sets.tables.values()].flatMap(({ chains }) => [...chains.values()].flatMap(chainPlace))[0];
  return [...changes, ...withPods([...policyDifferences('ipset', should, is, first)], model)];
}

/** Sets of policies by their roles, members sorted. */
function membersOf(
  sets: ToolRules | undefined,
  { roles, setOwners }: Pick<PolicyRoles, 'roles' | 'setOwners'>,
): ReadonlyMap<string, readonly PlacedLine[]> {
  const members = new Map<string, readonly PlacedLine[]>();
  const owned = (name: string) => {
    const owner = setOwners.get(name);
    return owner === undefined ? name : `${name} (${owner})`;
  };
  for (const { chains } of sets?.tables.values() ?? []) {
    for (const chain of chains.values()) {
      if (!isPolicySet(chain.name)) continue;
      const lines = placedLines(chain).map(({ text, ...rest }) => ({ text: text.replace(/ timeout\b/, ''), ...rest }));
      const sorted = lines.sort(byText);
      for (const role of roles.get(chain.name) ?? [owned(chain.name)]) members.set(role, sorted);
    }
  }
  return members;
}

const isOfPolicies = /^-A (?:KUBE-(?:POD-FW|NWPLCY|ROUTER)-|.* -j KUBE-ROUTER-(?:INPUT|FORWARD|OUTPUT)$)/;

function nftChanges(
  model: PolicyModel,
  options: PolicyOptions,
  family: Family,
  table: RuleTable,
): readonly RuleChange[] {
  const found = chainsOf(table);
  const habits = habitsOf(
    [...found].map(([name, lines]) => [name, ...lines.map(({ text }) => text)].join('\n')).join('\n'),
  );
  const compiled = texts(model, { ...options, ...habits, backends: ['nftables'] });
  const { ruleset } = parseListing(inFamily(compiled.nftablesSave, family));
  const expected = nftRules(ruleset, '')
    .find((set) => set.family === family)
    ?.tables.get(table.name);
  const [first] = [...table.chains.values()].flatMap(chainPlace);
  return withPods([...policyDifferences(table.name, chainsOf(expected), found, first)], model);
}

/** The kernel lists elements in an order of its own. */
function chainsOf(table: RuleTable | undefined): ReadonlyMap<string, readonly PlacedLine[]> {
  const chains = [...(table?.chains.values() ?? [])];
  return new Map(
    chains.map((chain) => {
      const lines = placedLines(chain);
      return [chain.name, /^(?:set|map) /.test(chain.name) ? [...lines].sort(byText) : lines];
    }),
  );
}

function byText(one: PlacedLine, other: PlacedLine): number {
  return compareBytes(one.text, other.text);
}

/** Addresses of set members with the pods that have them. */
function withPods(changes: readonly RuleChange[], { pods }: PolicyModel): readonly RuleChange[] {
  const owners = new Map(pods.flatMap(({ id, ips }) => ips.map((ip) => [ip, id] as const)));
  const named = (text: string) => {
    const owner = owners.get(text.split(/[ ,]/)[0] ?? '');
    return owner === undefined ? text : `${text} (${owner})`;
  };
  return changes.map(({ expected, found, ...rest }) => ({
    ...rest,
    ...(expected === undefined ? {} : { expected: named(expected) }),
    ...(found === undefined ? {} : { found: named(found) }),
  }));
}

/** Settings of whoever wrote the rules, told by the rules. */
function habitsOf(text: string): PolicyOptions {
  const group = /(?:--nflog-group|group) (\d+)/.exec(text)?.[1];
  const ranges = [...text.matchAll(/ -d (\S+) .*"allow traffic to primary\/secondary cluster IP range/g)];
  return {
    deny: /-j REJECT|\breject\b/.test(text) ? 'reject' : 'drop',
    icmp: /allow icmp echo requests|echo-request/.test(text) ? 'allow' : 'policy',
    hairpin: /"to itself"|^set self$/m.test(text) ? 'allow' : 'policy',
    hook: /hook postrouting/.test(text) ? 'postrouting' : 'forward',
    unknownPods: /unprogrammed local pod|^set local-pods$/m.test(text) ? 'deny' : 'allow',
    ...(group === undefined ? {} : { logGroup: Number(group) }),
    ...(ranges.length === 0 ? {} : { serviceCIDRs: ranges.map(([, cidr = '']) => cidr) }),
  };
}

function texts(model: PolicyModel, options: CompilePoliciesOptions) {
  return compilePolicies(model, options, () => undefined);
}

function inFamily(both: Texts | undefined, family: Family): string {
  return (family === 'ipv4' ? both?.v4 : both?.v6) ?? '';
}
