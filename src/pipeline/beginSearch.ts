import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from './compile.ts';
import { natBytes } from './natBytes.ts';
import { searchEndpoints } from './searchEndpoints.ts';

/** Has the chains of endpoints looked for in a dump, as far as it can be done, before the comparison comes to them. */
export function beginSearch({ dialect, plans }: Compiled, dump: NodeRules): void {
  if (dialect.mode !== 'iptables') return;
  for (const plan of plans) {
    const bytes = natBytes(dump.iptables.find(({ family }) => family === plan.family));
    if (bytes !== undefined) searchEndpoints(plan, dialect.spelling, bytes);
  }
}
