import { compareBytes } from '../common/compareBytes.ts';
import { isPolicySet, policyChainKind, policyHooks, withoutPartHashes } from '../netfilter/policyParts.ts';
import { chainsIn } from '../node/chains/chainsIn.ts';
import { chainPlace } from '../node/lines/chainLines.ts';
import { type PlacedLine, placedLines } from '../node/lines/placedLines.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { IptablesPolicies } from './iptablesPolicies.ts';
import { policyDifferences } from './policyDifferences.ts';
import { type PolicyRoles, policyRoles } from './policyRoles.ts';
import type { RuleChange } from './ruleChange.ts';

/**
 * Policy rules in iptables, by the purpose of chains and sets: for which Pod, for which policy. `hasContentNames`: sets
 * are named after their contents. Differences are found one by one: a caller may have enough of them.
 */
export function* comparePolicyIptables(
  expected: IptablesPolicies,
  found: IptablesPolicies,
  hasContentNames: boolean,
): Iterable<RuleChange> {
  const should = policyRoles(expected.rules, hasContentNames);
  const is = policyRoles(found.rules, hasContentNames);
  const hook = found.filter.chains.get(policyHooks.FORWARD);
  const around = hook === undefined ? found.rules[0]?.place : chainPlace(hook)[0];
  for (const change of policyDifferences('filter', should.chains, is.chains, around)) {
    // If only part of the table exists, nothing can be missing, and chains that no rule leads to have no purpose.
    if (found.filter.isWhole || (change.found !== undefined && !isUnnamed(change.chain))) yield change;
  }
  // What sets are for is known by the rules that ask them.
  if (found.sets === undefined || !found.filter.isWhole) return;
  // Sets that no rule of the dump uses also have their owner's name if one is expected.
  const setOwners = new Map([...should.setOwners, ...is.setOwners]);
  const [first] = chainsIn([found.sets]).flatMap(chainPlace);
  const sets = [membersOf(expected.sets, should), membersOf(found.sets, { roles: is.roles, setOwners })] as const;
  yield* policyDifferences('ipset', ...sets, first);
}

/** A chain of a Pod or a policy that no rule of the text says the purpose of. */
function isUnnamed(chain: string): boolean {
  const kind = policyChainKind(chain);
  return kind === 'pod' || kind === 'policy';
}

/** Our nftables table: chain by chain, set by set. If only part of it exists, nothing can be missing. */
export function comparePolicyNft(expected: RuleTable, found: RuleTable): readonly RuleChange[] {
  const [first] = [...found.chains.values()].flatMap(chainPlace);
  const all = [...policyDifferences(found.name, chainsOf(expected), chainsOf(found), first)];
  return found.isWhole ? all : all.filter((change) => change.expected === undefined);
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

/**
 * Compared by the purpose of maps and sets if their names depend on their contents. The kernel lists elements in its
 * own order.
 */
function chainsOf(table: RuleTable): ReadonlyMap<string, readonly PlacedLine[]> {
  const chains = [...table.chains.values()];
  return new Map(
    chains.map((chain) => {
      const lines = placedLines(chain).map(({ text, ...rest }) => ({ text: withoutPartHashes(text), ...rest }));
      const isSet = /^(?:set|map) /.test(chain.name);
      return [withoutPartHashes(chain.name), isSet ? lines.sort(byText) : lines];
    }),
  );
}

function byText(one: PlacedLine, other: PlacedLine): number {
  return compareBytes(one.text, other.text);
}
