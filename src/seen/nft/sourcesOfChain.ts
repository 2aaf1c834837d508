import type { Statement } from '../../netfilter/nft/ast.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import type { SeenSources } from '../ports/seenPort.ts';
import { halvesOf, networksOf } from './networksOf.ts';

/** `ip saddr != { 192.0.2.0/24, 203.0.113.1-203.0.113.2 } drop`. */
export function sourcesOfChain(table: RuleTable, chain: string): SeenSources | undefined {
  const content = table.chains.get(chain)?.content;
  const statements: readonly Statement[] =
    content?.kind === 'nftChain' ? (content.chain.rules[0]?.statements ?? []) : [];
  const [match] = statements;
  if (match?.kind !== 'match' || match.operator !== '!=') return undefined;
  const { right } = match;
  if (right.kind === 'value') return { ranges: networksOf(right.key[0] ?? ''), own: 'perhaps' };
  if (right.kind !== 'anonymousSet') return undefined;
  const ranges = right.elements.flatMap(([text = '']) => networksOf(text));
  // There are several, since a single one has no braces.
  return { ranges: ranges.length === 1 ? halvesOf(ranges[0] as string) : ranges, own: 'perhaps' };
}
