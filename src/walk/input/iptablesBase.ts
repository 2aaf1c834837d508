import { iptablesHooks } from './iptablesHooks.ts';
import type { WalkBase } from './walkInput.ts';

/** Where a built-in chain of iptables is registered; undefined: the chain is not a base chain of this table. */
export function iptablesBase(table: string, chain: string, policy: string): WalkBase | undefined {
  const hook = iptablesHooks.get(chain);
  if (hook === undefined) return undefined;
  const isSource = hook === 'input' || hook === 'postrouting';
  const priority = table === 'nat' ? (isSource ? 100 : -100) : priorities.get(table);
  if (priority === undefined) return undefined;
  return { hook, kind: table === 'nat' ? 'nat' : 'filter', priority, policy: policy === 'DROP' ? 'drop' : 'accept' };
}

/** Where the tables of iptables stand. */
const priorities: ReadonlyMap<string, number> = new Map([
  ['raw', -300],
  ['mangle', -150],
  ['filter', 0],
  ['security', 50],
]);
