import { compareByRole } from '../../compare/compareByRole.ts';
import type { CompareLevel } from '../../compare/diffChain.ts';
import { chainPrefixes, isEndpointChain, isServiceChain } from '../../netfilter/proxyChains.ts';
import type { NodeRules, RuleTable } from '../../node/nodeRules.ts';

/**
 * Whether the second of two iptables-save dumps has other names for chains of Services that do the same as in the
 * first.
 */
export function hasRenamedChains(before: NodeRules, after: NodeRules, level: CompareLevel): boolean {
  return after.iptables.some((found) => {
    const expected = before.iptables.find(({ family }) => family === found.family);
    const [own, should] = [found.tables.get('nat'), expected?.tables.get('nat')];
    if (expected === undefined || own === undefined || should === undefined || !leadsElsewhere(own, should))
      return false;
    return compareByRole(expected, found, { level, hasForeign: true }).renamed.length > 0;
  });
}

/** Matching starts with the chains that packets reach first, which do not lead to endpoints. */
function leadsElsewhere(own: RuleTable, should: RuleTable): boolean {
  if (entrances.some((name) => own.chains.get(name)?.text.includes(` ${chainPrefixes.endpoint}`))) return true;
  for (const name of own.chains.keys()) {
    if (isServiceChain(name) && !isEndpointChain(name) && !should.chains.has(name)) return true;
  }
  return false;
}

const entrances = ['KUBE-SERVICES', 'KUBE-NODEPORTS'];
