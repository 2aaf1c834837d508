import type { Rule } from '../netfilter/iptables/ast.ts';

/** Whether it takes packets out of connection tracking. Older tools write NOTRACK for CT with that option. */
export function isUntracking({ target }: Rule): boolean {
  if (target?.kind !== 'other') return false;
  return target.name === 'NOTRACK' || (target.name === 'CT' && target.options.some(({ name }) => name === 'notrack'));
}
