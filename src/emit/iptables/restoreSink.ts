import type { Family } from '../../common/family.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import type { RuleSink, TableName } from './ruleSink.ts';
import { type Slabs, slabs } from './slabs.ts';

/** Collects what kube-proxy hands to `iptables-restore --noflush --counters`, byte for byte. */
export interface RestoreText extends RuleSink {
  /** The whole text in pieces; tables without chains are left out. */
  readonly text: () => Iterable<string>;
}

export function restoreSink(family: Family): RestoreText {
  const chains: Readonly<Record<TableName, Slabs>> = { filter: slabs(), nat: slabs() };
  const rules: Readonly<Record<TableName, Slabs>> = { filter: slabs(), nat: slabs() };
  return {
    chain: (table, name) => chains[table].push(`:${name} - [0:0]`),
    rule: (table, rule) => rules[table].push(printRule(rule, 'restore', family)),
    text: function* () {
      for (const table of ['filter', 'nat'] as const) {
        if (chains[table].isEmpty()) continue;
        yield `*${table}\n`;
        yield* chains[table].text();
        yield* rules[table].text();
        yield 'COMMIT\n';
      }
    },
  };
}
