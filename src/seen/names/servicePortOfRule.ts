import type { Rule } from '../../netfilter/iptables/ast.ts';
import { servicePortText } from './readServicePortName.ts';
import { serviceOfRule } from './serviceInComment.ts';

/** `namespace/name:port` from the comment of an iptables rule; empty: it names none. */
export function servicePortOfRule(rule: Rule): string {
  const named = serviceOfRule(rule);
  return named === undefined ? '' : servicePortText(named);
}
