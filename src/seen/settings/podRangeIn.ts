import type { Family } from '../../common/addresses/family.ts';
import { memoized } from '../../common/memoized.ts';
import { jumpOf } from '../../netfilter/iptables/ruleParts.ts';
import { chainsNamed } from '../../netfilter/nft/chainsNamed.ts';
import { isProxyTable, nftChainKind, serviceChainKind } from '../../netfilter/proxyChains.ts';
import { eachChain } from '../../node/chains/eachChain.ts';
import { nftRulesOf } from '../../node/nftItems.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { pickRules } from '../../node/pickRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';

/** The range by which rules recognize traffic of Pods: that of the cluster, or of the node. */
export const podRangeIn = memoized(({ kind, family, tables }: ToolRules): string | undefined => {
  const table = kind === 'nftables' ? [...tables.values()].find(({ name }) => isProxyTable(name)) : tables.get('nat');
  const range = table && rangeOfServices(table, kind, family, 'balance');
  if (range !== undefined || kind !== 'iptables' || table === undefined) return range;
  const local = rangeOfServices(table, kind, family, 'localBalance');
  return local ?? (table.isWhole ? undefined : rangeOfLocalPolicy(table.chains.values(), family));
});

/** If all Services keep traffic on the node, the chains for that have the rule. */
function rangeOfServices(
  table: RuleTable,
  tool: ToolRules['kind'],
  family: Family,
  wanted: 'balance' | 'localBalance',
): string | undefined {
  let asked = 0;
  // Through 1.21, and in IPVS mode, the rule is in KUBE-SERVICES; in nftables mode of 1.36 it is in services.
  for (const chain of eachChain(table, { kinds: (kind) => kind === wanted })) {
    if (!mayTell(chain.name, wanted)) continue;
    const range = tool === 'nftables' ? rangeOfNft(chain) : rangeOfIptables(chain, family);
    if (range !== undefined) return range;
    asked += 1;
    if (asked > mostChains) break;
  }
  return undefined;
}

/**
 * For a dump that was cut before the chains of Services: under policy Local, a rule lets Pods reach all endpoints by
 * their range.
 */
function rangeOfLocalPolicy(chains: Iterable<RuleChain>, family: Family): string | undefined {
  let asked = 0;
  for (const chain of chains) {
    const kind = serviceChainKind(chain.name);
    if (kind !== 'external' && kind !== 'localExternal') continue;
    for (const { rule } of pickRules(chain, family, { holds: [' -j KUBE-SVC-'] })) {
      for (const word of rule.words) if (word.kind === 'source' && !word.negated) return word.address;
    }
    asked += 1;
    if (asked > mostChains) return undefined;
  }
  return undefined;
}

/** Enough to find one with endpoints. */
const mostChains = 50;

/** The rule that marks traffic from elsewhere. */
function rangeOfIptables(chain: RuleChain, family: Family): string | undefined {
  for (const { rule } of pickRules(chain, family, { holds: [' KUBE-MARK-MASQ'] })) {
    if (jumpOf(rule) !== 'KUBE-MARK-MASQ') continue;
    for (const word of rule.words) if (word.kind === 'source' && word.negated) return word.address;
  }
  return undefined;
}

/** Such a rule leads to the chain that marks, or since 1.36 sets the mark itself. */
function rangeOfNft(chain: RuleChain): string | undefined {
  for (const { item } of nftRulesOf(chain)) {
    const marks = item.statements.some(
      (one) => one.kind === 'assign' || chainsNamed(one).includes('mark-for-masquerade'),
    );
    for (const one of marks ? item.statements : []) {
      if (one.kind !== 'match' || one.operator !== '!=' || one.right.kind !== 'value') continue;
      if (one.left.kind === 'payload' && one.left.field === 'saddr') return one.right.key[0];
    }
  }
  return undefined;
}

function mayTell(chain: string, wanted: 'balance' | 'localBalance'): boolean {
  if (wanted === 'balance' && (chain === 'KUBE-SERVICES' || chain === 'services')) return true;
  return (serviceChainKind(chain) ?? nftChainKind(chain)) === wanted;
}
