import type { Family } from '../common/family.ts';
import type { ReportLine } from '../netfilter/iptables/readTables.ts';
import { applyTransaction } from '../netfilter/nft/applyTransaction.ts';
import type { NftElement, NftRuleset, NftTable } from '../netfilter/nft/ast.ts';
import { canonicalRule } from '../netfilter/nft/canonicalRule.ts';
import { formatDuration } from '../netfilter/nft/duration.ts';
import { parseJson } from '../netfilter/nft/parseJson.ts';
import { parseListing } from '../netfilter/nft/parseListing.ts';
import { parseTransaction } from '../netfilter/nft/parseTransaction.ts';
import { writeRule } from '../netfilter/nft/writeRule.ts';
import { addLine, type ChainDraft, newChain } from '../node/chainDraft.ts';
import type { ChainContent, NodeRules, RuleChain, RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';
import { type ListedBlock, listedLines } from './listedLines.ts';

/** Reads `nft list ruleset`, `nft -j list ruleset`, or what is given to `nft -f`. */
export function readNft(
  file: DumpFile,
  report: ReportLine,
): { readonly sets: readonly ToolRules[]; readonly notes: readonly string[] } & Pick<NodeRules, 'chainsListedByNft'> {
  const { ruleset, problems } = parserOf(file)(file.text);
  for (const { line, message } of problems) report({ line: line ?? 0, column: 1, word: '', message });
  const managed = ruleset.tables.filter(({ isManagedByIptables }) => isManagedByIptables);
  const notes =
    managed.length === 0
      ? []
      : [
          `${file.name}: tables of iptables-nft are not compared as nft prints them; give what iptables-nft-save prints`,
        ];
  return {
    sets: nftRules(ruleset, file.name, file.text),
    notes,
    chainsListedByNft: chainsOfIptables(ruleset, file),
  };
}

function parserOf({ text, kind }: DumpFile): typeof parseJson {
  if (kind === 'nftTransaction') return parseApplied;
  return text.trimStart().startsWith('{') ? parseJson : parseListing;
}

/** What commands leave in a kernel without rules. */
function parseApplied(text: string): ReturnType<typeof parseJson> {
  const { commands, problems } = parseTransaction(text);
  const refused: { line: number; message: string }[] = [];
  const ruleset = applyTransaction(commands, (_, message) => refused.push({ line: 0, message }));
  return { ruleset, problems: [...problems, ...refused] };
}

/**
 * Of the tables of iptables, what tells that kube-proxy wrote there, and FORWARD where its policy drops. JSON, and nft
 * before 1.0.7, do not say which tables are iptables-nft's: those are told by their names.
 */
function chainsOfIptables({ tables }: NftRuleset, file: DumpFile): readonly RuleChain[] {
  const own = tables.flatMap((table) => {
    const name = `${table.family} ${table.name}`;
    const service = table.chains.find(({ name: each, rules }) => /^KUBE-SVC-/.test(each) && rules.length > 0);
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
    for (const [at, rule] of chain.rules.entries())
      addLine(listed, writeRule(canonicalRule(rule, table.family), 'listing'), block?.items[at] ?? listed.declaredAt);
    return listed;
  });
}

/** Tables by family (`ip` and `inet` with IPv4): each chain a chain, each set or map a chain of its elements. */
export function nftRules(ruleset: NftRuleset, file: string, text?: string): readonly ToolRules[] {
  const blocks = text === undefined ? new Map<string, ListedBlock>() : listedLines(text);
  const families: Record<Family, Map<string, RuleTable>> = { ipv4: new Map(), ipv6: new Map() };
  for (const table of ruleset.tables) {
    if (table.isManagedByIptables) continue;
    const name = `${table.family} ${table.name}`;
    const { chains: _, sets: __, ...nft } = table;
    families[table.family === 'ip6' ? 'ipv6' : 'ipv4'].set(name, {
      name,
      isWhole: true,
      nft,
      chains: chainsOf(table, file, (chain) => blocks.get(`${name} ${chain}`)),
    });
  }
  return (['ipv4', 'ipv6'] as const)
    .filter((family) => families[family].size > 0)
    .map((family) => ({ kind: 'nftables', family, tables: families[family], files: file === '' ? [] : [file] }));
}

function chainsOf(
  table: NftTable,
  file: string,
  blockOf: (chain: string) => ListedBlock | undefined,
): ReadonlyMap<string, RuleChain> {
  const chains = new Map<string, ChainDraft>();
  const add = (name: string, property: string | undefined, items: readonly string[], content: ChainContent) => {
    const chain = newChain(name, file);
    const block = blockOf(name);
    chain.isDeclared = true;
    chain.content = content;
    // In JSON nothing has a line of its own: nft prints all in one.
    chain.declaredAt = block?.declaredAt ?? (file === '' ? 0 : 1);
    if (property !== undefined) addLine(chain, property, block?.property ?? chain.declaredAt);
    for (const [at, item] of items.entries()) addLine(chain, item, block?.items[at] ?? chain.declaredAt);
    chains.set(name, chain);
    return chain;
  };
  const { family } = table;
  for (const listed of table.chains) {
    const { name, base } = listed;
    const rules = listed.rules.map((rule) => canonicalRule(rule, family));
    const hook = base && `type ${base.type} hook ${base.hook} priority ${base.priority}`;
    const texts = rules.map((rule) => writeRule(rule, 'listing'));
    const chain = add(name, hook, texts, { kind: 'nftChain', family, chain: { ...listed, rules } });
    if (base) chain.policy = base.policy ?? 'accept';
  }
  for (const set of table.sets) {
    // Elements of sets that rules fill (affinity) come and go.
    const isFilledByRules = set.flags.includes('dynamic') || set.timeout !== undefined;
    const timeout = set.timeout === undefined ? undefined : `timeout ${formatDuration(set.timeout)}`;
    const name = `${set.kind} ${set.name}`;
    const content: ChainContent = { kind: 'nftSet', family, set };
    if (isFilledByRules) add(name, timeout, [], content);
    else add(name, undefined, set.elements.map(elementText), content);
  }
  return chains;
}

/** An element as nft lists it. */
function elementText(element: NftElement): string {
  const key = element.key.join(' . ');
  const value = element.value?.join(' . ');
  const verdict = element.verdict;
  const to = verdict === undefined ? value : 'chain' in verdict ? `${verdict.kind} ${verdict.chain}` : verdict.kind;
  return to === undefined ? key : `${key} : ${to}`;
}
