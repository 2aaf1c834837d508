import type { Family } from '../../common/addresses/family.ts';
import type { Word } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { ruleSteps } from '../../netfilter/iptables/meaning/ruleSteps.ts';
import { readLines } from '../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { readRules } from '../../node/rulesOf.ts';
import { calledChains } from './calledChains.ts';
import { iptablesBase } from './iptablesBase.ts';
import { placeDeclared, ruleAt } from './ruleAt.ts';
import { walkChains } from './walkChains.ts';
import type { WalkChain, WalkTable } from './walkInput.ts';

/** The tables of iptables in one back end: chains that the dump shows, and base chains that must exist. */
export function iptablesTables(tool: ToolRules, family: Family): readonly WalkTable[] {
  return [...tool.tables.values()].map((table) => {
    const further = new Map<string, WalkChain>();
    const isFragment = !table.isWhole && calledChains(table, undefined).length > 0;
    const walked: WalkTable = {
      ...(!table.isWhole && { isPart: true as const }),
      ...(table.isWritten && { isWritten: true as const }),
      ...(isFragment && { isFragment }),
      backend: tool.backend === 'nft' ? 'nft' : 'legacy',
      family: family === 'ipv4' ? 'ip' : 'ip6',
      name: table.name,
      chains: walkChains(table.chains, further, (chain) => iptablesChain(chain, table, walked, family)),
      sets: new Map(),
    };
    if (isFragment) for (const chain of calledChains(table, walked)) further.set(chain.name, chain);
    // In iptables-legacy a table has all its base chains.
    for (const name of tool.backend === 'nft' ? [] : builtinChains(table.name)) {
      const base = iptablesBase(table.name, name, 'ACCEPT');
      if (!walked.chains.has(name) && base !== undefined)
        further.set(name, { table: walked, name, base, rules: () => [] });
    }
    return walked;
  });
}

function iptablesChain(chain: RuleChain, table: RuleTable, walked: WalkTable, family: Family): WalkChain {
  const { name, text } = chain;
  const rules = () => {
    const lines = readLines(chain);
    return readRules(chain, family).map((rule, at) =>
      ruleAt(whole, chain, at, lines[at] ?? '', () => ruleSteps(rule, family), commentOf(rule.words)),
    );
  };
  const place = placeDeclared(chain);
  const isBuiltin = builtinChains(table.name).includes(name);
  const base = isBuiltin ? iptablesBase(table.name, name, chain.policy ?? 'ACCEPT') : undefined;
  // Written out: a large node has a hundred thousand chains, and putting each together from parts takes twice as long.
  const whole: WalkChain =
    base !== undefined
      ? { table: walked, name, text, base, ...(place && { place }), rules }
      : place === undefined
        ? { table: walked, name, text, rules }
        : { table: walked, name, text, place, rules };
  return whole;
}

function commentOf(words: readonly Word[]): string | undefined {
  for (const word of words) if (word.kind === 'comment') return word.text;
  return undefined;
}
