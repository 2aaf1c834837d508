import { commentOf, jumpOf } from '../netfilter/iptables/ruleParts.ts';
import type { IptablesPolicies } from './iptablesPolicies.ts';

/** The rules look like our strict layout: it leaves what policies admit to later rules, and kube-router accepts it. */
export function looksStrict({ rules }: IptablesPolicies): boolean {
  return rules.some(
    ({ rule }) =>
      jumpOf(rule) === 'RETURN' && commentOf(rule)?.startsWith('rule to explicitly ACCEPT traffic') === true,
  );
}
