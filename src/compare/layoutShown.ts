import { commentOf, jumpOf } from '../netfilter/iptables/ruleParts.ts';
import type { IptablesPolicies } from './iptablesPolicies.ts';

/**
 * The layout of policy rules, as those show it that say what happens to packets which policies admit: kube-router accepts
 * them, and our strict layout leaves them to later rules. Undefined: there are no such rules, or they disagree.
 */
export function layoutShown({ rules }: IptablesPolicies): 'strict' | 'kube-router' | undefined {
  const shown = new Set(
    rules.flatMap(({ rule }) => {
      const comment = commentOf(rule) ?? '';
      if (comment !== 'accept netpol-ok' && !comment.startsWith('rule to explicitly ACCEPT traffic')) return [];
      const jump = jumpOf(rule);
      return jump === 'RETURN' ? ['strict' as const] : jump === 'ACCEPT' ? ['kube-router' as const] : [];
    }),
  );
  const [layout] = shown;
  return shown.size === 1 ? layout : undefined;
}
