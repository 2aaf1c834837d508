import type { DumpedRules } from '../../dialect/dumpedRules.ts';
import type { Ruleset } from '../../netfilter/iptables/ast.ts';
import type { NftTable } from '../../netfilter/nft/ast.ts';
import { isProxyTable, type ServiceChainKind } from '../../netfilter/proxyChains.ts';
import { eachChain } from '../../node/chains/eachChain.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { rulesOf } from '../../node/rulesOf.ts';

/** The part of a dump that versions are detected by: in a large cluster, some chains of each kind are enough. */
export function dumpedRules(found: readonly ToolRules[]): DumpedRules {
  const of = (kind: ToolRules['kind']) => found.filter((rules) => rules.kind === kind && !rules.isLossy);
  return {
    iptables: of('iptables').map(sampleOf),
    nft: of('nftables').flatMap(proxyTables),
    ipsets: of('ipset').flatMap(({ tables }) =>
      [...(tables.get('ipset')?.chains.values() ?? [])].flatMap(({ content }) =>
        content?.kind === 'ipset' ? [content.set] : [],
      ),
    ),
  };
}

function proxyTables({ tables }: ToolRules): readonly NftTable[] {
  return [...tables.values()].flatMap((table) => {
    if (!isProxyTable(table.name) || table.nft === undefined) return [];
    const contents = [...sampled(table.chains.values(), /^(?:service|local|external|firewall|endpoint)-/)];
    return [
      {
        ...table.nft,
        ...(!table.isWhole && { cut: table.cut ?? 'a part of it is shown' }),
        chains: contents.flatMap(({ content }) => (content?.kind === 'nftChain' ? [content.chain] : [])),
        sets: contents.flatMap(({ content }) => (content?.kind === 'nftSet' ? [content.set] : [])),
      },
    ];
  });
}

function sampleOf(set: ToolRules): Ruleset {
  return {
    kind: 'iptables',
    family: set.family,
    tables: [...set.tables.values()].map((table) => {
      const chains = [...sampled(eachChain(table, { kinds: fewOfEach() }), /^KUBE-[A-Z]{2,3}-(?=[A-Z0-9]{16}$)/)];
      const declared = chains.filter(({ isDeclared }) => isDeclared);
      return {
        name: table.name,
        // Policies show that a table is whole; in a whole table missing rules count too.
        chains: declared.map(({ name, policy }) =>
          policy === undefined || !table.isWhole ? { name } : { name, policy },
        ),
        rules: chains.flatMap((chain) =>
          rulesOf(linesOf(chain).length > longChain ? shortened(chain) : chain, set.family),
        ),
      };
    }),
  };
}

/** The first chains among those whose names begin alike, and all others. */
function* sampled(chains: Iterable<RuleChain>, kinds: RegExp): Iterable<RuleChain> {
  const counts = new Map<string, number>();
  for (const chain of chains) {
    const kind = kinds.exec(chain.name)?.[0];
    const count = kind === undefined ? 0 : (counts.get(kind) ?? 0) + 1;
    if (kind !== undefined) counts.set(kind, count);
    if (count <= mostOfAKind) yield chain;
  }
}

const mostOfAKind = 50;

/** In a long dump, only this many chains are made. */
function fewOfEach(): (kind: ServiceChainKind) => boolean {
  const counts = new Map<ServiceChainKind, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= mostOfAKind;
  };
}

const longChain = 500;

function shortened(chain: RuleChain): RuleChain {
  const lines = linesOf(chain);
  return { ...chain, text: [...lines.slice(0, longChain - 100), ...lines.slice(-100)].join('\n') };
}
