import type { Family } from '../../common/addresses/family.ts';
import type { BaseChain, NftChain } from '../../netfilter/nft/ast.ts';
import { nftRuleSteps } from '../../netfilter/nft/meaning/nftRuleSteps.ts';
import { readLines } from '../../node/lines/chainLines.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { placeDeclared, ruleAt } from './ruleAt.ts';
import type { Hook, WalkBase, WalkChain, WalkSet, WalkTable } from './walkInput.ts';

/** The tables of nft that packets of the family meet, with their chains and sets. */
export function nftTables(tool: ToolRules, family: Family): readonly WalkTable[] {
  return [...tool.tables.values()].flatMap((table): readonly WalkTable[] => {
    const [tableFamily = '', name = ''] = splitAt(table.name);
    const own = family === 'ipv4' ? 'ip' : 'ip6';
    if (tableFamily !== 'inet' && tableFamily !== 'netdev' && tableFamily !== own) return [];
    const chains = new Map<string, WalkChain>();
    const sets = new Map<string, WalkSet>();
    const walked: WalkTable = {
      ...(!table.isWhole && { isPart: true as const }),
      tool: 'nft',
      backend: 'nft',
      family: tableFamily as WalkTable['family'],
      name,
      chains,
      sets,
    };
    for (const chain of table.chains.values()) {
      if (chain.content?.kind === 'nftChain') {
        chains.set(chain.content.chain.name, nftChain(chain, chain.content.chain, walked));
      } else if (chain.content?.kind === 'nftSet') {
        const { set } = chain.content;
        const { timeout } = set;
        const isDynamic = set.flags.includes('dynamic') || timeout !== undefined;
        sets.set(set.name, {
          name: set.name,
          elements: set.elements,
          isDynamic,
          ...(timeout !== undefined && { timeout }),
        });
      }
    }
    return [walked];
  });
}

function splitAt(name: string): readonly [string, string] {
  const space = name.indexOf(' ');
  return [name.slice(0, space), name.slice(space + 1)];
}

function nftChain(chain: RuleChain, content: NftChain, walked: WalkTable): WalkChain {
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
