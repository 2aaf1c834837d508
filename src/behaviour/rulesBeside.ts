import type { Family } from '../common/addresses/family.ts';
import { isProxyTable } from '../netfilter/proxyChains.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { withForeignRules } from './withForeignRules.ts';

/**
 * Expected rules as they would be on the node of a dump, beside rules of other programs, in the families that the dump
 * shows. `leftAlone`: as for these rules.
 */
export function rulesBeside(expected: NodeRules, dump: NodeRules, leftAlone: readonly string[]): NodeRules {
  const all = withForeignRules(expected, dump, leftAlone);
  const ofShown = (tools: readonly ToolRules[]) => tools.filter(({ family }) => isShown(family, dump));
  return {
    ...all,
    iptables: ofShown(all.iptables),
    nft: ofShown(all.nft),
    ipsets: ofShown(all.ipsets),
    ipvs: ofShown(all.ipvs),
    addresses: ofShown(all.addresses),
  };
}

/** iptables-save and ip6tables-save each show one family; nft shows both, but not what kube-proxy has in iptables. */
function isShown(family: Family, { iptables, nft }: NodeRules): boolean {
  if (iptables.length === 0 || iptables.some((rules) => rules.family === family)) return true;
  return nft.some(({ tables }) => [...tables.values()].some(({ name }) => isProxyTable(name)));
}
