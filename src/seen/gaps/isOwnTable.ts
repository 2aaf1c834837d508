import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import type { RuleTable } from '../../node/nodeRules.ts';

/**
 * The table shows all of kube-proxy's chains: it was dumped whole, or it is a text for iptables-restore, which declares
 * them and leaves built-in chains alone.
 */
export function isOwnTable({ name, isWhole, chains }: RuleTable): boolean {
  const isDeclared = chains.get('KUBE-SERVICES')?.isDeclared === true;
  return isWhole || (isDeclared && !builtinChains(name).some((chain) => chains.has(chain)));
}
