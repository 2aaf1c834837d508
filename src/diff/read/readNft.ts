import type { Family } from '../../common/family.ts';
import type { ReportLine } from '../../netfilter/iptables/readTables.ts';
import type { NftRuleset, NftTable } from '../../netfilter/nft/ast.ts';
import { canonicalRule } from '../../netfilter/nft/canonicalRule.ts';
import { parseJson } from '../../netfilter/nft/parseJson.ts';
import { parseListing } from '../../netfilter/nft/parseListing.ts';
import { writeRule } from '../../netfilter/nft/writeRule.ts';
import { addLine } from '../chainLines.ts';
import { type NodeDump, newChain, type RuleChain, type RuleSet, type RuleTable } from '../nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';

/** Reads `nft list ruleset` or `nft -j list ruleset`. */
export function readNft(
  file: DumpFile,
  report: ReportLine,
): { readonly sets: readonly RuleSet[]; readonly notes: readonly string[] } & Pick<NodeDump, 'chainsListedByNft'> {
  const { ruleset, problems } = file.text.trimStart().startsWith('{') ? parseJson(file.text) : parseListing(file.text);
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
  const lines = declarationLines(file.text);
  return own.map(({ table, name, chain }) => {
    const listed = newChain(chain.name, file.name);
    listed.declaredAt = lines.get(`${name} ${chain.name}`) ?? 0;
    if (chain.base?.policy) listed.policy = chain.base.policy;
    for (const rule of chain.rules)
      addLine(listed, writeRule(canonicalRule(rule, table.family), 'listing'), listed.declaredAt);
    return listed;
  });
}

/** Tables by family (`ip` and `inet` with IPv4): each chain a chain, each set or map a chain of its elements. */
export function nftRules(ruleset: NftRuleset, file: string, text?: string): readonly RuleSet[] {
  const lines = text === undefined ? new Map<string, number>() : declarationLines(text);
  const families: Record<Family, Map<string, RuleTable>> = { ipv4: new Map(), ipv6: new Map() };
  for (const table of ruleset.tables) {
    if (table.isManagedByIptables) continue;
    const name = `${table.family} ${table.name}`;
    families[table.family === 'ip6' ? 'ipv6' : 'ipv4'].set(name, {
      name,
      isWhole: true,
      chains: chainsOf(table, file, (chain) => lines.get(`${name} ${chain}`) ?? 0),
    });
  }
  return (['ipv4', 'ipv6'] as const)
    .filter((family) => families[family].size > 0)
    .map((family) => ({ kind: 'nftables', family, tables: families[family], files: file === '' ? [] : [file] }));
}

function chainsOf(table: NftTable, file: string, lineOf: (chain: string) => number): Map<string, RuleChain> {
  const chains = new Map<string, RuleChain>();
  const add = (name: string, rules: readonly string[]): RuleChain => {
    const chain = newChain(name, file);
    chain.isDeclared = true;
    chain.declaredAt = lineOf(name);
    for (const rule of rules) {
      addLine(chain, rule, chain.declaredAt);
    }
    chains.set(name, chain);
    return chain;
  };
  for (const { name, base, rules } of table.chains) {
    const texts = rules.map((rule) => writeRule(canonicalRule(rule, table.family), 'listing'));
    const chain = add(name, base ? [`type ${base.type} hook ${base.hook} priority ${base.priority}`, ...texts] : texts);
    if (base) chain.policy = base.policy ?? 'accept';
  }
  for (const set of table.sets) {
    // Elements of sets that rules fill (affinity) come and go.
    const isFilledByRules = set.flags.includes('dynamic') || set.timeout !== undefined;
    const bare: NftTable = { ...table, chains: [], sets: [{ ...set, elements: isFilledByRules ? [] : set.elements }] };
    const timeout = set.timeout === undefined ? [] : [`timeout ${set.timeout}`];
    add(`${set.kind} ${set.name}`, isFilledByRules ? timeout : elementTexts(bare));
  }
  return chains;
}

/** The elements of the only set of a table, one a text, as nft lists them. */
function elementTexts(table: NftTable): readonly string[] {
  const set = table.sets[0];
  if (set === undefined) return [];
  return set.elements.map((element) => {
    const key = element.key.join(' . ');
    const value = element.value?.join(' . ');
    const verdict = element.verdict;
    const to = verdict === undefined ? value : 'chain' in verdict ? `${verdict.kind} ${verdict.chain}` : verdict.kind;
    return to === undefined ? key : `${key} : ${to}`;
  });
}

/** `ip kube-proxy services` to the line on which the chain begins. */
function declarationLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let table = '';
  for (const [at, line] of text.split('\n').entries()) {
    const opened = /^table (\S+ \S+) \{/.exec(line);
    if (opened !== null) table = opened[1] as string;
    const block = /^\s+(?:chain (\S+)|((?:set|map) \S+)) \{/.exec(line);
    if (block !== null) lines.set(`${table} ${block[1] ?? block[2]}`, at + 1);
  }
  return lines;
}
