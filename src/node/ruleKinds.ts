import { noNetwork } from './networkFacts.ts';
import type { NodeRules, RuleKind, ToolRules } from './nodeRules.ts';
import { noProxyFacts } from './proxyFacts.ts';

type Facts = Omit<NodeRules, 'name' | 'iptables' | 'nft' | 'ipsets' | 'ipvs' | 'addresses'>;

/** Makes the NodeRules of a node from rules of any kinds. */
export function nodeRulesOf(name: string, rules: readonly ToolRules[], facts: Facts = noFacts): NodeRules {
  const of = (kind: RuleKind) => rules.filter((one) => one.kind === kind);
  return {
    name,
    iptables: of('iptables'),
    nft: of('nftables'),
    ipsets: of('ipset'),
    ipvs: of('ipvs'),
    addresses: of('addresses'),
    ...facts,
  };
}

/** All rules of a node, from all tools. */
export function everyTool({ iptables, nft, ipsets, ipvs, addresses }: NodeRules): readonly ToolRules[] {
  return [...iptables, ...nft, ...ipsets, ...ipvs, ...addresses];
}

const noFacts: Facts = {
  connections: [],
  bridgePorts: [],
  network: noNetwork,
  proxy: noProxyFacts,
  hiddenTables: [],
  legacyWarnings: [],
  chainsListedByNft: [],
  unread: [],
  notes: [],
};
