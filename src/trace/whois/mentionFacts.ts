import { addressPattern } from '../../netfilter/addressRanges.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import type { WalkInput, WalkRule, WalkSet, WalkTable } from '../../walk/input/walkInput.ts';
import type { RuleCatalog } from '../known/ruleCatalog.ts';
import { placeOf, type WhoisFact } from './whoisFact.ts';

/** An address or network that is nobody's by itself: rules and sets that name it, as source ranges do. */
export function mentionFacts(
  name: string,
  { ipsets, tables }: WalkInput,
  { chains }: RuleCatalog,
): readonly WhoisFact[] {
  const pattern = addressPattern(name);
  if (pattern === undefined) return [];
  const facts: WhoisFact[] = [];
  for (const { chain, service } of chains) {
    for (const rule of chain.rules()) {
      if (!isNamed(name, rule.text)) continue;
      if (facts.length === mostRules) return facts;
      facts.push(ruleFact(name, rule, service));
    }
  }
  for (const set of ipsets.values()) {
    const isMember = set.members.some(({ parts }) =>
      parts.some(({ range }) => range.first === pattern.range.first && range.last === pattern.range.last),
    );
    if (isMember) facts.push({ kind: 'mention', sentence: `${name} is in the set ${set.name}` });
  }
  for (const table of tables) {
    for (const set of table.sets.values()) {
      const element = set.elements.find(({ key }) => key.includes(name));
      if (element !== undefined) facts.push({ kind: 'mention', sentence: elementText(name, element, set, table) });
    }
  }
  return facts;
}

/** Of nftables: `10.244.1.6 is in the map pods of ip guard (shop/db-1), which leads to in-50a4389c42bc73d19ea1`. */
function elementText(
  name: string,
  { comment, verdict, value }: NftElement,
  set: WalkSet,
  { family, name: table }: WalkTable,
): string {
  const kind = verdict === undefined && value === undefined ? 'set' : 'map';
  const of = comment === undefined ? '' : ` (${comment})`;
  const to = verdict !== undefined && 'chain' in verdict ? `, which leads to ${verdict.chain}` : '';
  return `${name} is in the ${kind} ${set.name} of ${family} ${table}${of}${to}`;
}

const mostRules = 10;

function ruleFact(name: string, rule: WalkRule, service: string | undefined): WhoisFact {
  const { chain, number, comment } = rule;
  const of = service === undefined ? (comment === undefined ? '' : ` (${comment})`) : `, of Service ${service}`;
  return {
    kind: 'mention',
    sentence: `${chain.table.name} ${chain.name} #${number} names ${name}${of}`,
    ...(service !== undefined && { service }),
    ...placeOf(rule),
  };
}

/** As a word; a single address may have its length behind it, which iptables writes. */
function isNamed(name: string, text: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const rest = text.slice(at + name.length);
    const isWhole = !/^[\w.:/]/.test(rest) || (!name.includes('/') && /^\/(?:32|128)(?!\d)/.test(rest));
    if (isWhole && !/[\w.:/]$/.test(text.slice(0, at))) return true;
  }
  return false;
}
