import type { RuleTable } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';

/** What one rule does: the chains that it leads to, and the address that it translates to. */
export interface RuleTargets {
  readonly chains: readonly string[];
  readonly endpoints: readonly string[];
}

/**
 * Groups the chains of a table that lead to each other, and gives for each the addresses that its group translates to.
 * The chains of one Service port form a group, whichever of them its entrances lead to.
 */
export function groupChains(
  table: RuleTable | undefined,
  isOwn: (chain: string) => boolean,
  targetsIn: (chain: RuleChain) => readonly RuleTargets[],
): (chain: string) => ReadonlySet<string> {
  const leaders = new Map<string, string>();
  const leaderOf = (chain: string): string => {
    let at = chain;
    for (let next = leaders.get(at); next !== undefined && next !== at; next = leaders.get(at)) {
      const further = leaders.get(next) ?? next;
      leaders.set(at, further);
      at = further;
    }
    return at;
  };
  const found: { readonly chain: string; readonly endpoint: string }[] = [];
  for (const chain of table?.chains.values() ?? []) {
    if (!isOwn(chain.name)) continue;
    for (const { chains, endpoints } of targetsIn(chain)) {
      for (const endpoint of endpoints) found.push({ chain: chain.name, endpoint });
      for (const target of chains) if (isOwn(target)) leaders.set(leaderOf(target), leaderOf(chain.name));
    }
  }
  const translated = new Map<string, Set<string>>();
  for (const { chain, endpoint } of found) {
    const leader = leaderOf(chain);
    const own = translated.get(leader) ?? new Set();
    translated.set(leader, own.add(endpoint));
  }
  return (chain) => translated.get(leaderOf(chain)) ?? none;
}

const none: ReadonlySet<string> = new Set();
