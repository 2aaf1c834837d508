import type { Family } from '../common/family.ts';
import { type CompilePoliciesOptions, compilePolicies, type Texts } from '../emit/policy/compilePolicies.ts';
import type { PolicyOptions } from '../emit/policy/policyOptions.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import { parseIpset } from '../netfilter/ipset/parseIpset.ts';
import { parseListing } from '../netfilter/nft/parseListing.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { linesOf } from './chainLines.ts';
import type { RuleChange } from './finding.ts';
import type { NodeDump, RuleSet, RuleTable } from './nodeRules.ts';
import { policyRoles } from './policyRoles.ts';
import { ipsetRules } from './read/readIpvsParts.ts';
import { nftRules } from './read/readNft.ts';

/** What differs between the policies of the manifests and the rules of a dump that enforce policies: ours or kube-router's. */
export interface PolicyChanges {
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
}

/**
 * Compares by what chains are for: of which pod, of which policy. How the dump's rules deny and log is not in the
 * manifests and is taken from the dump. Dumps without such rules, and input without policies, have nothing to compare.
 */
export function policyChanges(compiled: Compiled, dump: NodeDump): PolicyChanges {
  const changes: RuleChange[] = [];
  const notes: string[] = [];
  if (compiled.policyManifests.networkPolicies.length === 0) return { changes, notes };
  const model = readPolicyModel(compiled.policyManifests);
  const { name } = compiled.model.node;
  const node = model.nodes.some((each) => each.name === name) ? { node: name } : {};
  for (const set of dump.sets) {
    const filter = set.kind === 'iptables' ? set.tables.get('filter') : undefined;
    if (filter?.chains.has('KUBE-ROUTER-FORWARD')) {
      const sets = dump.sets.find(({ kind, family }) => kind === 'ipset' && family === set.family);
      const layouts = (['strict', 'kube-router'] as const).map((layout) => ({
        layout,
        found: iptablesChanges(model, { ...node, layout }, set.family, filter, sets),
      }));
      const best = layouts.reduce((one, other) => (other.found.length < one.found.length ? other : one));
      changes.push(...best.found);
      notes.push(`rules of policies were compared in the ${best.layout} layout${sets ? '' : ', without their sets'}`);
    }
    const table = set.kind === 'nftables' ? set.tables.get(nftTable(set.family)) : undefined;
    if (table !== undefined) changes.push(...nftChanges(model, node, set.family, table));
  }
  return { changes, notes };
}

function iptablesChanges(
  model: PolicyModel,
  options: PolicyOptions,
  family: Family,
  filter: RuleTable,
  sets: RuleSet | undefined,
): readonly RuleChange[] {
  const found = [...filter.chains.values()].flatMap(linesOf).filter((line) => isOfPolicies.test(line));
  const compiled = texts(model, { ...options, ...habitsOf(found.join('\n')), backends: ['iptables'] });
  const lines = inFamily(compiled.iptablesSave, family).split('\n');
  const expectedRoles = policyRoles(lines.filter((line) => isOfPolicies.test(line)));
  const foundRoles = policyRoles(found);
  const changes = [...differences('filter', expectedRoles.chains, foundRoles.chains)];
  if (sets === undefined) return changes;
  const state = parseIpset(inFamily(compiled.ipsetSave, family), () => undefined);
  const membersOf = (
    all: RuleSet | undefined,
    names: ReadonlyMap<string, string>,
    owners: ReadonlyMap<string, string>,
  ) => {
    const roles = new Map([...names].map(([role, name]) => [name, role]));
    const chains = [...(all?.tables.values() ?? [])].flatMap((table) => [...table.chains.values()]);
    const own = chains.filter((chain) =>
      /^(?:inet6:)?(?:KUBE-(?:SRC|DST)-[A-Z2-7]{16}|kube-router-local-pods)$/.test(chain.name),
    );
    return new Map(
      own.map((chain) => {
        const owner = owners.get(chain.name);
        const role = roles.get(chain.name) ?? (owner === undefined ? chain.name : `${chain.name} (${owner})`);
        return [
          role,
          linesOf(chain)
            .map((member) => member.replace(/ timeout\b/, ''))
            .sort(),
        ];
      }),
    );
  };
  const expectedSets = ipsetRules(state, '').find((set) => set.family === family);
  const should = membersOf(expectedSets, expectedRoles.setNames, expectedRoles.setOwners);
  // Sets that no rule of the dump asks have their owner's name too, where one is expected.
  const owners = new Map([...expectedRoles.setOwners, ...foundRoles.setOwners]);
  const is = membersOf(sets, foundRoles.setNames, owners);
  return [...changes, ...withPods([...differences('ipset', should, is)], model)];
}

const isOfPolicies = /^-A (?:KUBE-(?:POD-FW|NWPLCY|ROUTER)-|.* -j KUBE-ROUTER-(?:INPUT|FORWARD|OUTPUT)$)/;

function nftChanges(
  model: PolicyModel,
  options: PolicyOptions,
  family: Family,
  table: RuleTable,
): readonly RuleChange[] {
  const chains = (from: RuleTable | undefined) =>
    new Map([...(from?.chains.values() ?? [])].map((chain) => [chain.name, linesOf(chain)] as const));
  const found = chains(table);
  const habits = habitsOf([...found].map(([name, lines]) => `${name}\n${lines.join('\n')}`).join('\n'));
  const compiled = texts(model, { ...options, ...habits, backends: ['nftables'] });
  const { ruleset } = parseListing(inFamily(compiled.nftablesSave, family));
  const expected = nftRules(ruleset, '')
    .find((set) => set.family === family)
    ?.tables.get(table.name);
  const sorted = (all: ReadonlyMap<string, readonly string[]>) =>
    // The kernel lists elements in an order of its own.
    new Map([...all].map(([name, lines]) => [name, /^(?:set|map) /.test(name) ? [...lines].sort() : lines] as const));
  return withPods([...differences(table.name, sorted(chains(expected)), sorted(found))], model);
}

/** Lines that only one side has; where both have the same in another order, the first that stands elsewhere. */
function* differences(
  table: string,
  expected: ReadonlyMap<string, readonly string[]>,
  found: ReadonlyMap<string, readonly string[]>,
): Iterable<RuleChange> {
  for (const chain of new Set([...expected.keys(), ...found.keys()])) {
    const [should = [], is = []] = [expected.get(chain), found.get(chain)];
    const missing = without(should, is);
    const extra = without(is, should);
    for (const line of missing) yield { table, chain, expected: line };
    for (const line of extra) yield { table, chain, found: line };
    if (missing.length + extra.length > 0) continue;
    const at = should.findIndex((line, index) => line !== is[index]);
    const [one, other] = [should[at], is[at]];
    if (one !== undefined && other !== undefined) yield { table, chain, expected: one, found: other, isMoved: true };
  }
}

function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
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
    unknownPods: /kube-router-local-pods|^set local-pods$/m.test(text) ? 'deny' : 'allow',
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

function nftTable(family: Family): string {
  return `${family === 'ipv4' ? 'ip' : 'ip6'} k8snet-netpol`;
}
