import type { Family } from '../common/addresses/family.ts';
import type { NftSet } from '../netfilter/nft/ast.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { rulesOf } from '../node/rulesOf.ts';
import { chainSentences } from '../trace/service/iptablesSentences.ts';
import { ruleSentence } from '../trace/service/nftSentence.ts';

/**
 * What the rule in a line of a printed text does, a whole sentence; undefined: the line is not a rule of iptables or
 * nft.
 */
export function ruleAtLine(text: string, line: number, family: Family, rules: NodeRules): string | undefined {
  const before = text.split('\n').slice(0, line);
  const own = before.at(-1) ?? '';
  return /^\s*-A /.test(own) ? iptablesSentence(before, family, rules) : nftSentenceAt(before, family, rules);
}

/** The rule with the same number in its chain: a chain is printed in the order of its rules in every form. */
function iptablesSentence(before: readonly string[], family: Family, rules: NodeRules): string | undefined {
  const table = before.findLast((line) => /^\*\w+/.test(line))?.slice(1);
  const begin = before.lastIndexOf(`*${table}`);
  const chain = chainIn(before.at(-1));
  const number = before.slice(begin).filter((line) => chainIn(line) === chain).length - 1;
  const found = rules.iptables.find((one) => one.family === family)?.tables.get(table ?? '');
  const held = chain === undefined ? undefined : found?.chains.get(chain);
  if (held === undefined || found === undefined) return undefined;
  return chainSentences(rulesOf(held, family), found, family)[number];
}

function chainIn(line: string | undefined): string | undefined {
  return /^\s*-A (\S+)/.exec(line ?? '')?.[1];
}

/** In `nft list` rules stand below the line of their chain, behind that of its hook; as kube-proxy writes them, `add rule` does. */
function nftSentenceAt(before: readonly string[], family: Family, rules: NodeRules): string | undefined {
  const own = (before.at(-1) ?? '').trim();
  const written = /^add rule ip6? kube-proxy (\S+) /.exec(own)?.[1];
  const opened = before.findLastIndex((line) => /^\s*(?:chain|set|map|table) /.test(line));
  const listed = /^\s*chain (\S+) \{$/.exec(before[opened] ?? '')?.[1];
  const name = written ?? (own === '}' ? undefined : listed);
  if (name === undefined) return undefined;
  const between =
    written === undefined
      ? before.slice(opened + 1).filter((line) => !/^\s*(?:type \S+ hook|comment )/.test(line))
      : before.filter((line) =>
          line.trim().startsWith(`add rule ip${family === 'ipv6' ? '6' : ''} kube-proxy ${name} `),
        );
  const tool = rules.nft.find((one) => one.family === family);
  for (const { chains } of tool?.tables.values() ?? []) {
    const content = chains.get(name)?.content;
    if (content?.kind !== 'nftChain' || between.length === 0) continue;
    const rule = content.chain.rules[between.length - 1];
    const sets = new Map<string, NftSet>();
    for (const { content: other } of chains.values()) if (other?.kind === 'nftSet') sets.set(other.set.name, other.set);
    return rule && ruleSentence(rule, sets);
  }
  return undefined;
}
