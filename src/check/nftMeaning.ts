import { compareBytes } from '../common/compareBytes.ts';
import { applyTransaction } from '../netfilter/nft/applyTransaction.ts';
import type { NftChain, NftElement, NftRuleset, NftSet } from '../netfilter/nft/ast.ts';
import { canonicalRule } from '../netfilter/nft/canonicalRule.ts';
import { parseListing } from '../netfilter/nft/parseListing.ts';
import { parseTransaction } from '../netfilter/nft/parseTransaction.ts';
import { writeListing } from '../netfilter/nft/writeListing.ts';

/**
 * A listing, or what a transaction leaves: tables, sets, chains and elements by name, rules canonical and in their
 * order, without handles, counters and times. Lines that cannot be read come last.
 */
export function nftMeaning(text: string, isTransaction: boolean): readonly string[] {
  const source = text.split('\n');
  const { ruleset, problems } = isTransaction ? readTransaction(text) : parseListing(text);
  const listing = [...writeListing(canonical(ruleset))].join('').split('\n');
  return [...listing, ...problems.map(({ line, message }) => `unread: ${source[line - 1] ?? message}`)];
}

function readTransaction(text: string): ReturnType<typeof parseListing> {
  const { commands, problems } = parseTransaction(text);
  const refused: { line: number; message: string }[] = [];
  const ruleset = applyTransaction(commands, (_, message) => refused.push({ line: 0, message }));
  return { ruleset, problems: [...problems, ...refused] };
}

function canonical({ tables }: NftRuleset): NftRuleset {
  return {
    kind: 'nftables',
    tables: [...tables]
      .map(({ handle: _, ...table }) => ({
        ...table,
        sets: byName(table.sets).map(canonicalSet),
        chains: byName(table.chains).map((chain) => canonicalChain(chain, table.family)),
      }))
      .sort((one, other) => compareBytes(`${one.family} ${one.name}`, `${other.family} ${other.name}`)),
  };
}

function canonicalSet({ handle: _, ...set }: NftSet): NftSet {
  const elements = set.elements.map((element) => ({ text: JSON.stringify(element.key), element: plain(element) }));
  return {
    ...set,
    elements: elements.sort((one, other) => compareBytes(one.text, other.text)).map(({ element }) => element),
  };
}

function plain({ expires: _, counter: __, ...element }: NftElement): NftElement {
  return element;
}

function canonicalChain({ handle: _, ...chain }: NftChain, family: string): NftChain {
  return {
    ...chain,
    rules: chain.rules.map((rule) => {
      const { handle: __, ...kept } = canonicalRule(rule, family);
      return {
        ...kept,
        statements: kept.statements.map((one) => (one.kind === 'counter' ? { ...one, packets: 0, bytes: 0 } : one)),
      };
    }),
  };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  return [...items].sort((one, other) => compareBytes(one.name, other.name));
}
