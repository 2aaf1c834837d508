import type { Family } from '../common/addresses/family.ts';
import type { NftElement, NftRuleset, NftTable } from '../netfilter/nft/ast.ts';
import { canonicalNftRule } from '../netfilter/nft/canonical/canonicalNftRule.ts';
import { canonicalNftSet } from '../netfilter/nft/canonical/canonicalNftSet.ts';
import { formatDuration } from '../netfilter/nft/values/duration.ts';
import { writeRule } from '../netfilter/nft/write/writeRule.ts';
import { addLines, type ChainDraft, newChain } from './chains/chainDraft.ts';
import type { ListedBlock } from './lines/listedLines.ts';
import type { RuleTable, ToolRules } from './nodeRules.ts';
import type { ChainContent, RuleChain } from './ruleChain.ts';

/**
 * Tables by family (`inet` counts as IPv4, like `ip`): each chain is a chain, each set or map a chain of its elements.
 */
export function nftRules(
  ruleset: NftRuleset,
  file: string,
  blocks: ReadonlyMap<string, ListedBlock> = new Map(),
): readonly ToolRules[] {
  const families: Record<Family, Map<string, RuleTable>> = { ipv4: new Map(), ipv6: new Map() };
  for (const table of ruleset.tables) {
    if (table.isManagedByIptables) continue;
    const name = `${table.family} ${table.name}`;
    const { chains: _, sets: __, cut, isUnfinished, hasUnreadLines, ...nft } = table;
    families[table.family === 'ip6' ? 'ipv6' : 'ipv4'].set(name, {
      name,
      isWhole: cut === undefined,
      ...(cut !== undefined && { cut }),
      ...(isUnfinished && { isUnfinished }),
      ...((isUnfinished || hasUnreadLines) && { hasLostLines: true as const }),
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
  const add = (
    name: string,
    property: string | undefined,
    items: readonly string[],
    content: ChainContent,
    keys?: readonly string[],
  ) => {
    const chain = newChain(name, file);
    const block = blockOf(name);
    chain.isDeclared = true;
    chain.content = content;
    // In JSON nothing has its own line: nft prints everything in one.
    chain.declaredAt = block?.declaredAt ?? (file === '' ? 0 : 1);
    if (property !== undefined) addLines(chain, property, block?.property ?? chain.declaredAt);
    if (property === undefined && block !== undefined && standTogether(block, items)) {
      addLines(chain, items.join('\n'), block.items[0] ?? chain.declaredAt);
    } else {
      for (const [at, item] of items.entries()) {
        const line = block?.byKey?.get(keys?.[at] ?? '') ?? block?.items[at];
        addLines(chain, item, line ?? chain.declaredAt);
      }
    }
    chains.set(name, chain);
    return chain;
  };
  const { family } = table;
  for (const listed of table.chains) {
    const { name, base } = listed;
    const rules = listed.rules.map((rule) => canonicalNftRule(rule, family));
    const hook = base && `type ${base.type} hook ${base.hook} priority ${base.priority}`;
    const texts = rules.map((rule) => writeRule(rule, 'listing'));
    const chain = add(name, hook, texts, { kind: 'nftChain', family, chain: { ...listed, rules } });
    if (base) chain.policy = base.policy ?? 'accept';
  }
  for (const set of table.sets.map(canonicalNftSet)) {
    // Elements of sets that rules fill (affinity) come and go.
    const isFilledByRules = set.flags.includes('dynamic') || set.timeout !== undefined;
    const timeout = set.timeout === undefined ? undefined : `timeout ${formatDuration(set.timeout)}`;
    const name = `${set.kind} ${set.name}`;
    const content: ChainContent = { kind: 'nftSet', family, set };
    if (isFilledByRules) add(name, timeout, [], content);
    else add(name, undefined, set.elements.map(elementText), content, set.elements.map(keyText));
  }
  return chains;
}

/** Whether each rule has one line, right below that of the one before: then the chain is one text. */
function standTogether({ items: lines, byKey }: ListedBlock, items: readonly string[]): boolean {
  const [first = 0] = lines;
  if (byKey !== undefined || lines.length !== items.length || first === 0) return false;
  return items.every((item, at) => lines[at] === first + at && !item.includes('\n'));
}

function keyText({ key }: NftElement): string {
  return key.join(' . ');
}

/** An element as nft lists it. */
function elementText(element: NftElement): string {
  const key = keyText(element);
  const value = element.value?.join(' . ');
  const verdict = element.verdict;
  const to = verdict === undefined ? value : 'chain' in verdict ? `${verdict.kind} ${verdict.chain}` : verdict.kind;
  return to === undefined ? key : `${key} : ${to}`;
}
