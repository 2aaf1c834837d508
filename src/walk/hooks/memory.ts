import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkTable } from '../input/walkInput.ts';
import { appended } from '../values/trail.ts';

/** Lists that packets write into: `recent` lists of iptables, dynamic sets of nft, ipsets. */
export function setList(table: WalkTable, name: string): string {
  return `set ${table.family} ${table.name} ${name}`;
}

/** When a key was last put into a list, in milliseconds after the dump; undefined `at`: it has been removed since. */
export function lastSeen(
  flow: Flow,
  list: string,
  key: string,
  context: WalkContext,
): { readonly at: number | undefined; readonly value?: string } | undefined {
  for (let at = flow.memory; at !== undefined; at = at.before) {
    if (at.item.list === list && at.item.key === key) return at.item;
  }
  // The question names the list only.
  const name = list.slice(list.lastIndexOf(' ') + 1);
  const age = context.seen.get(`${name} ${key}`);
  return age === undefined ? undefined : { at: -age };
}

export function remembered(flow: Flow, list: string, key: string, at: number | undefined, value?: string): Flow {
  return { ...flow, memory: appended(flow.memory, { list, key, at, ...(value !== undefined && { value }) }) };
}
