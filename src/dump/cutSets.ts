import { proxySetKind } from '../netfilter/ipset/proxySets.ts';
import { setNames } from '../netfilter/iptables/ruleParts.ts';
import { isKubeName } from '../netfilter/proxyChains.ts';
import { chainsIn } from '../node/chains/chainsIn.ts';
import { eachChain, sharedChains } from '../node/chains/eachChain.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { readRules } from '../node/rulesOf.ts';
import { withTables } from '../node/withTables.ts';

/**
 * The rules of a node without the sets at which listings of ipset end, if these were cut off or filtered: such a set may
 * hold more than is shown. The kernel destroys no set that a rule matches, so a listing that lacks several of those is not
 * all of it. One that is missing may be somebody's edit of a dump, and a listing of one set is all of that.
 */
export function withoutCutSets(rules: readonly ToolRules[], notes: string[]): readonly ToolRules[] {
  const listed = rules.filter(({ kind }) => kind === 'ipset');
  // `ipset list` says itself how many members a set has.
  if (listed.some(({ tables }) => [...tables.values()].some(({ isWhole }) => !isWhole))) return rules;
  const shown = chainsIn(listed);
  if (shown.length < 2) return rules;
  const names = new Set(shown.map(({ name }) => name));
  const lacking = new Set(rules.flatMap(matchedSets).filter((name) => !names.has(name)));
  if (lacking.size < 2) return rules;
  const last = new Set(lastOfFiles(shown));
  for (const { file, name } of last)
    notes.push(
      `${file} lacks sets that rules match, so ${name}, the last in it, may hold more than is shown: it is left out`,
    );
  return rules.map((tool) => (tool.kind === 'ipset' ? withTables(tool, (table) => withoutChains(table, last)) : tool));
}

/** Sets of kube-proxy that rules of its shared chains match: those of single Services match none. */
function matchedSets({ kind, family, tables }: ToolRules): readonly string[] {
  if (kind !== 'iptables') return [];
  return [...tables.values()].flatMap((table) =>
    [...eachChain(table, sharedChains)]
      .filter(({ name }) => isKubeName(name))
      .flatMap((chain) => readRules(chain, family))
      .flatMap(setNames)
      .filter((name) => proxySetKind(name) !== undefined),
  );
}

/** The last set of each file that shows several. */
function lastOfFiles(shown: readonly RuleChain[]): Iterable<RuleChain> {
  const byFile = new Map<string, RuleChain>();
  const several = new Set<string>();
  for (const chain of shown) {
    const known = byFile.get(chain.file);
    if (known !== undefined) several.add(chain.file);
    if (known === undefined || chain.declaredAt > known.declaredAt) byFile.set(chain.file, chain);
  }
  return [...byFile].flatMap(([file, chain]) => (several.has(file) ? chain : []));
}

function withoutChains(table: RuleTable, away: ReadonlySet<RuleChain>): RuleTable {
  const chains = new Map([...table.chains].filter(([, chain]) => !away.has(chain)));
  return { ...table, isWhole: false, chains };
}
