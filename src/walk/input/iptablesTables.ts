import type { Family } from '../../common/addresses/family.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { readLines } from '../../node/lines/chainLines.ts';
import { lacksLines } from '../../node/lostLines.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { calledChains } from './calledChains.ts';
import { iptablesBase } from './iptablesBase.ts';
import { placeDeclared } from './ruleAt.ts';
import { SavedRule } from './savedRule.ts';
import { walkChains } from './walkChains.ts';
import type { WalkBase, WalkChain, WalkRule, WalkTable } from './walkInput.ts';

/** The tables of iptables in one back end: chains that the dump shows, and base chains that must exist. */
export function iptablesTables(tool: ToolRules, family: Family): readonly WalkTable[] {
  return [...tool.tables.values()].map((table) => {
    const further = new Map<string, WalkChain>();
    const isFragment = !table.isWhole && calledChains(table, undefined).length > 0;
    const walked: WalkTable = {
      ...(!table.isWhole && { isPart: true as const }),
      ...(table.isWritten && { isWritten: true as const }),
      ...(isFragment && { isFragment }),
      tool: 'iptables',
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
  const isBuiltin = builtinChains(table.name).includes(chain.name);
  return new IptablesChain(chain, walked, family, isBuiltin ? baseOf(chain, table) : undefined);
}

function baseOf(chain: RuleChain, table: RuleTable): WalkBase | undefined {
  const base = iptablesBase(table.name, chain.name, chain.policy ?? 'ACCEPT');
  return base === undefined || !lacksLines(table) ? base : { ...base, isCutOff: true };
}

/** A class, like LazyRule: a large node has a hundred thousand chains, on each side of a comparison. */
class IptablesChain implements WalkChain {
  readonly table: WalkTable;
  readonly name: string;
  readonly base?: WalkBase;
  readonly #chain: RuleChain;
  readonly #family: Family;

  constructor(chain: RuleChain, table: WalkTable, family: Family, base: WalkBase | undefined) {
    this.table = table;
    this.name = chain.name;
    if (base !== undefined) this.base = base;
    this.#chain = chain;
    this.#family = family;
  }

  get text(): string {
    return this.#chain.text;
  }

  get place(): WalkChain['place'] {
    return placeDeclared(this.#chain);
  }

  rules(): readonly WalkRule[] {
    const [chain, family] = [this.#chain, this.#family];
    return readLines(chain).map((line, at) => new SavedRule(this, chain, at, line, family));
  }
}
