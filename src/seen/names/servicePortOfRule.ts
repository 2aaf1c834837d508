import type { Rule } from '../../netfilter/iptables/ast.ts';
import { servicePortText } from './readServicePortName.ts';
import { serviceOfRule } from './serviceInComment.ts';

/** `namespace/name:port` in the comment of a rule of iptables; empty: it names none. */
export function servicePortOfRule(rule: Rule): string {
  const named = serviceOfRule(rule);
  return named === undefined ? '' : servicePortText(named);
}
