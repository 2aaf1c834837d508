import type { Family } from '../common/addresses/family.ts';
import { count } from '../common/text/count.ts';
import type { ReportLine } from '../netfilter/lineProblem.ts';
import { applyTransaction } from '../netfilter/nft/applyTransaction.ts';
import type { NftRuleset, NftTable } from '../netfilter/nft/ast.ts';
import { canonicalNftRule } from '../netfilter/nft/canonical/canonicalNftRule.ts';
import { parseJson } from '../netfilter/nft/read/parseJson.ts';
import { parseListing } from '../netfilter/nft/read/parseListing.ts';
import { parseTransaction } from '../netfilter/nft/read/parseTransaction.ts';
import { writeRule } from '../netfilter/nft/write/writeRule.ts';
import { isProxyChain, isProxyTable, nftChainKind, serviceChainKind } from '../netfilter/proxyChains.ts';
import { addLines, newChain } from '../node/chains/chainDraft.ts';
import { cutByMissing } from '../node/chains/cutByMissing.ts';
import { missingIn } from '../node/ledTo.ts';
import { hasLines } from '../node/lines/chainLines.ts';
import { commandLines } from '../node/lines/commandLines.ts';
import { listedLines } from '../node/lines/listedLines.ts';
import { nftRules } from '../node/nftRules.ts';
import type { NodeRules, RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { withTables } from '../node/withTables.ts';
import type { DumpFile } from './dumpFile.ts';

interface ReadNft extends Pick<NodeRules, 'chainsListedByNft'> {
  readonly sets: readonly ToolRules[];
  /** The families for which it lists tables of iptables-nft. */
  readonly familiesOfIptables: ReadonlySet<Family>;
}

/** Reads `nft list ruleset`, `nft -j list ruleset`, or input for `nft -f`. */
export function readNft(file: DumpFile, report: ReportLine): ReadNft {
  const { ruleset: parsed, problems } = parserOf(file)(file.text);
  const ruleset: NftRuleset = { ...parsed, tables: parsed.tables.map(markManaged) };
  for (const { line, message } of problems) report({ line: line ?? 0, column: 1, word: '', message });
  const chainsListedByNft = chainsOfIptables(ruleset, file);
  const managed = ruleset.tables.filter(({ isManagedByIptables }) => isManagedByIptables);
  const listed = [
    ...managed.map(({ family }) => family),
    ...chainsListedByNft.flatMap(({ content }) => (content?.kind === 'nftChain' ? content.family : [])),
  ];
  return {
    sets: nftRules(ruleset, file.name, linesOf(file)).map((rules) => withCuts(rules, ruleset.tables.length === 1)),
    familiesOfIptables: new Set(listed.map((family) => (family === 'ip6' ? 'ipv6' : 'ipv4'))),
    chainsListedByNft,
  };
}

function withCuts(rules: ToolRules, isOnlyTable: boolean): ToolRules {
  return withTables(rules, (table) => withCut(table, isOnlyTable));
}

/** `nft list chain`, `nft list maps` and the like print some of a table as if it were the table. */
function withCut(listed: RuleTable, isOnlyTable: boolean): RuleTable {
  if (!isProxyTable(listed.name)) {
    const cut = isOnlyTable ? oneItem(listed) : undefined;
    return cut === undefined ? listed : { ...listed, isWhole: false, cut };
  }
  const table = isTerse(listed) ? withoutSets(listed) : listed;
  if (!table.isWhole) return table;
  const cut = cutByMissing(table, 'chains and maps', () => missingIn(table)) ?? cutByKinds(table);
  return cut === undefined ? table : { ...table, isWhole: false, cut };
}

/** One chain with a hook may be all that another program has on a node; what no hook leads to is there for something else. */
function oneItem({ chains }: RuleTable): string | undefined {
  const [item, ...others] = chains.values();
  if (others.length > 0 || !hasLines(item)) return undefined;
  if (item?.content?.kind === 'nftSet') return `it is one ${item.content.set.kind}`;
  return item?.content?.kind === 'nftChain' && !item.content.chain.base ? 'it is one chain without a hook' : undefined;
}

/** In every version kube-proxy's tables have several base chains, sets and maps. */
function cutByKinds({ chains }: RuleTable): string | undefined {
  let hooks = 0;
  let sets = 0;
  for (const { content } of chains.values()) {
    if (content?.kind === 'nftSet') sets += 1;
    else if (content?.kind === 'nftChain' && content.chain.base !== undefined) hooks += 1;
  }
  if (chains.size === 0 || (hooks > 1 && sets > 1)) return undefined;
  const few = [
    ...(hooks > 1 ? [] : [count(hooks, 'base chain')]),
    ...(sets > 1 ? [] : [count(sets, 'set or map', 'sets and maps')]),
  ];
  return `it has ${few.join(' and ')}`;
}

/** `nft -t` prints no elements: those of all sets and maps are unknown where chains of Services need some. */
function isTerse({ chains }: RuleTable): boolean {
  let needed = 0;
  for (const { name, content } of chains.values()) {
    if (content?.kind === 'nftSet' && content.set.elements.length > 0) return false;
    if (nftChainKind(name) === 'balance') needed += 1;
  }
  return needed > 1;
}

function withoutSets(table: RuleTable): RuleTable {
  const cut = 'its sets and maps have no elements, as nft -t prints them';
  const chains = new Map([...table.chains].filter(([, { content }]) => content?.kind !== 'nftSet'));
  return { ...table, chains, isWhole: false, cut: table.cut ?? cut };
}

/**
 * JSON, and nft before 1.0.7, do not say which tables belong to iptables-nft: the names of tables and kube-proxy's
 * chains show it.
 */
function markManaged(table: NftTable): NftTable {
  const isOfIptables =
    !table.isManagedByIptables &&
    /^ip6? (?:nat|filter|mangle)$/.test(`${table.family} ${table.name}`) &&
    table.chains.some(({ name }) => isProxyChain(name));
  return isOfIptables ? { ...table, isManagedByIptables: true } : table;
}

function linesOf({ text, kind }: DumpFile): ReturnType<typeof listedLines> {
  return kind === 'nftTransaction' ? commandLines(text) : listedLines(text);
}

function parserOf({ text, kind }: DumpFile): typeof parseJson {
  if (kind === 'nftTransaction') return parseApplied;
  return text.trimStart().startsWith('{') ? parseJson : parseListing;
}

/** The effect of commands on a kernel without rules. */
function parseApplied(text: string): ReturnType<typeof parseJson> {
  const { commands, lines, problems } = parseTransaction(text);
  const refused: { line: number; message: string }[] = [];
  const ruleset = applyTransaction(commands, (command, message) =>
    refused.push({ line: lines[command] ?? 0, message }),
  );
  return { ruleset, problems: [...problems, ...refused] };
}

/** For tables of iptables: what shows that kube-proxy wrote there, and FORWARD if its policy drops. */
function chainsOfIptables({ tables }: NftRuleset, file: DumpFile): readonly RuleChain[] {
  const own = tables.flatMap((table) => {
    const name = `${table.family} ${table.name}`;
    const service = table.chains.find(
      ({ name: each, rules }) => serviceChainKind(each) === 'balance' && rules.length > 0,
    );
    const forward = table.chains.find(({ name: each, base }) => each === 'FORWARD' && base?.policy === 'drop');
    return [
      ...(service && (table.isManagedByIptables || /^ip6? nat$/.test(name)) ? [{ table, name, chain: service }] : []),
      ...(forward && table.isManagedByIptables ? [{ table, name, chain: forward }] : []),
    ];
  });
  if (own.length === 0) return [];
  const blocks = listedLines(file.text);
  return own.map(({ table, name, chain }) => {
    const block = blocks.get(`${name} ${chain.name}`);
    const listed = newChain(chain.name, file.name);
    listed.declaredAt = block?.declaredAt ?? 0;
    if (chain.base?.policy) listed.policy = chain.base.policy;
    const rules = chain.rules.map((rule) => canonicalNftRule(rule, table.family));
    listed.content = { kind: 'nftChain', family: table.family, chain: { ...chain, rules } };
    for (const [at, rule] of rules.entries())
      addLines(listed, writeRule(rule, 'listing'), block?.items[at] ?? listed.declaredAt);
    return listed;
  });
}
