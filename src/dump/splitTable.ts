import type { Rule, Table } from '../netfilter/iptables/ast.ts';
import { isServiceChain } from '../netfilter/proxyChains.ts';

/**
 * Rules without their table, as from `iptables-save | grep`, sorted into the tables that kube-proxy writes them to:
 * chain and target show which.
 */
export function splitTable(table: Table): readonly Table[] {
  const isNat = table.name === 'nat' || table.rules.some((rule) => leadsToService(rule));
  const filter = table.rules.filter((rule) => !isNat || isFilterRule(rule));
  const nat = isNat ? table.rules.filter((rule) => !isFilterRule(rule)) : [];
  const parts = [
    { name: 'filter', chains: isNat ? [] : table.chains, rules: filter },
    { name: 'nat', chains: isNat ? table.chains : [], rules: nat },
  ];
  return parts.filter(({ rules, chains }) => rules.length + chains.length > 0);
}

function leadsToService({ chain, target }: Rule): boolean {
  if (isServiceChain(chain) || /^(?:KUBE-MARK-|KUBE-POSTROUTING|PREROUTING|POSTROUTING)/.test(chain)) return true;
  if (target?.kind !== 'jump') return false;
  return isServiceChain(target.chain) || /^KUBE-(?:MARK-|NODEPORTS$)/.test(target.chain);
}

function isFilterRule({ chain, words, target }: Rule): boolean {
  if (/^(?:KUBE-(?:FORWARD|EXTERNAL-SERVICES|PROXY-FIREWALL|FIREWALL)|FORWARD)$/.test(chain)) return true;
  if (target?.kind === 'reject') return true;
  if (target?.kind !== 'jump') return false;
  if (/^KUBE-(?:FORWARD|EXTERNAL-SERVICES|PROXY-FIREWALL|FIREWALL)$/.test(target.chain)) return true;
  if (/^KUBE-(?:SERVICES|NODEPORTS)$/.test(chain)) return /^(?:DROP|ACCEPT)$/.test(target.chain);
  // kube-proxy's jumps in the filter table match new connections.
  return /^(?:INPUT|OUTPUT)$/.test(chain) && words.some(({ kind }) => kind === 'conntrack');
}
