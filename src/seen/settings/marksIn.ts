import { mostFrequent } from '../../common/mostFrequent.ts';
import { isProxyTable, nftChainKind } from '../../netfilter/proxyChains.ts';
import { nftRulesOf } from '../../node/nftItems.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { rulesOf } from '../../node/rulesOf.ts';

/**
 * The marks for masquerading that a node's rules set and test: in its own chains, and in most of a sample of Services.
 */
export function marksIn(rules: ToolRules): readonly number[] {
  return rules.kind === 'nftables' ? [...rules.tables.values()].flatMap(marksInNft) : marksInIptables(rules);
}

function marksInIptables({ tables, family }: ToolRules): readonly number[] {
  return markChains.flatMap(([table, name]) => {
    const chain = tables.get(table)?.chains.get(name);
    if (chain === undefined) return [];
    return rulesOf(chain, family).flatMap(({ words, target }) => [
      ...words.flatMap((word) => (word.kind === 'mark' ? word.value >>> 0 : [])),
      ...(target?.kind === 'mark' ? [target.value >>> 0] : []),
    ]);
  });
}

const markChains = [
  ['nat', 'KUBE-MARK-MASQ'],
  ['nat', 'KUBE-POSTROUTING'],
  ['filter', 'KUBE-FORWARD'],
] as const;

function marksInNft(table: RuleTable): readonly number[] {
  if (!isProxyTable(table.name)) return [];
  const own = ['mark-for-masquerade', 'masquerading', 'services'].flatMap((name) => setMarks(table, name));
  const ofServices: number[] = [];
  let asked = 0;
  // Since 1.36 rules of Services set the mark themselves.
  for (const name of table.chains.keys()) {
    if (nftChainKind(name) !== 'external') continue;
    for (const mark of setMarks(table, name)) ofServices.push(mark);
    asked += 1;
    if (asked === mostChains) break;
  }
  const most = mostFrequent(ofServices, (mark) => mark);
  return most === undefined ? own : [...own, most];
}

const mostChains = 50;

/** Of `meta mark set meta mark | 0x4000` and `meta mark set meta mark ^ 0x4000`. */
function setMarks(table: RuleTable, name: string): readonly number[] {
  return nftRulesOf(table.chains.get(name)).flatMap(({ item }) =>
    item.statements.flatMap((one) =>
      one.kind === 'assign' && one.target.kind === 'meta' && one.target.key === 'mark' ? Number(one.value) : [],
    ),
  );
}
