import type { Family } from '../../common/addresses/family.ts';
import { mapOnDemand } from '../../common/mapOnDemand.ts';
import { memoized } from '../../common/memoized.ts';
import type { BaseChain } from '../../netfilter/nft/ast.ts';
import { nftRuleSteps } from '../../netfilter/nft/meaning/nftRuleSteps.ts';
import type { TableChains } from '../../node/chains/byteChains.ts';
import { readLines } from '../../node/lines/chainLines.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { placeDeclared, ruleAt } from './ruleAt.ts';
import { walkChains } from './walkChains.ts';
import type { Hook, WalkBase, WalkChain, WalkSet, WalkTable } from './walkInput.ts';

/** The tables of nft that packets of the family meet, with their chains and sets. */
export function nftTables(tool: ToolRules, family: Family): readonly WalkTable[] {
  return [...tool.tables.values()].flatMap((table): readonly WalkTable[] => {
    const [tableFamily = '', name = ''] = splitAt(table.name);
    const own = family === 'ipv4' ? 'ip' : 'ip6';
    if (tableFamily !== 'inet' && tableFamily !== 'netdev' && tableFamily !== own) return [];
    const walked: WalkTable = {
      ...(!table.isWhole && { isPart: true as const }),
      tool: 'nft',
      backend: 'nft',
      family: tableFamily as WalkTable['family'],
      name,
      chains: walkChains(table.chains, new Map(), (chain) => nftChain(chain, walked)),
      sets: walkSets(table.chains),
    };
    return [walked];
  });
}

function splitAt(name: string): readonly [string, string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space), name.slice(space + 1)];
}

/** Sets and maps by name. */
function walkSets(chains: TableChains): ReadonlyMap<string, WalkSet> {
  function* all(): Generator<WalkSet, undefined> {
    for (const chain of chains.values()) {
      const set = setOf(chain);
      if (set !== undefined) yield set;
    }
    return undefined;
  }
  const named = (name: string) => {
    const chain = chains.get(`set ${name}`) ?? chains.get(`map ${name}`);
    return chain && setOf(chain);
  };
  return mapOnDemand({
    get: named,
    has: (name) => named(name) !== undefined,
    count: () => [...all()].length,
    values: all,
    nameOf: ({ name }: WalkSet) => name,
  });
}

const setOf = memoized(({ content }: RuleChain): WalkSet | undefined => {
  if (content?.kind !== 'nftSet') return undefined;
  const { name, elements, flags, timeout } = content.set;
  const isDynamic = flags.includes('dynamic') || timeout !== undefined;
  return { name, elements, isDynamic, ...(timeout !== undefined && { timeout }) };
});

function nftChain(chain: RuleChain, walked: WalkTable): WalkChain | undefined {
  if (chain.content?.kind !== 'nftChain') return undefined;
  const content = chain.content.chain;
  const { base } = content;
  const hook = base && hookNames.has(base.hook) ? (base.hook as Hook) : undefined;
  const walkBase: WalkBase | undefined =
    base && hook !== undefined
      ? {
          hook,
          kind: base.type === 'nat' ? 'nat' : base.type === 'route' ? 'route' : 'filter',
          priority: base.priority,
          policy: base.policy === 'drop' ? 'drop' : 'accept',
          ...devicesOf(base),
        }
      : undefined;
  const place = placeDeclared(chain);
  const whole: WalkChain = {
    table: walked,
    name: content.name,
    text: chain.text,
    ...(walkBase && { base: walkBase }),
    ...(place && { place }),
    rules: () => {
      const lines = readLines(chain);
      // A base chain has a line for its hook before its rules.
      const offset = lines.length - content.rules.length;
      return content.rules.map((rule, at) => {
        const steps = () => nftRuleSteps(rule, walked.family);
        return ruleAt(whole, chain, at, lines[at + offset] ?? '', steps, rule.comment, offset);
      });
    },
  };
  return whole;
}

function devicesOf({ device, devices }: BaseChain): Pick<WalkBase, 'devices'> {
  const all = devices ?? (device === undefined ? [] : [device]);
  return all.length === 0 ? {} : { devices: all };
}

const hookNames: ReadonlySet<string> = new Set<Hook>([
  'ingress',
  'prerouting',
  'input',
  'forward',
  'output',
  'postrouting',
  'egress',
]);
