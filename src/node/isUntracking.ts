import type { Rule } from '../netfilter/iptables/ast.ts';

/** It takes packets out of connection tracking. NOTRACK is what older tools call CT with that option. */
export function isUntracking({ target }: Rule): boolean {
  if (target?.kind !== 'other') return false;
  return target.name === 'NOTRACK' || (target.name === 'CT' && target.options.some(({ name }) => name === 'notrack'));
}
