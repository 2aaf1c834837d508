import type { Family } from '../../common/family.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import { type LineStore, lineStore, textOf } from './lineStore.ts';
import type { RuleSink, TableName } from './ruleSink.ts';

/** Collects what kube-proxy hands to `iptables-restore --noflush --counters`, byte for byte. */
export interface RestoreText extends RuleSink {
  /** The whole text in pieces; tables without chains are left out. Can be asked for once. */
  readonly text: () => Iterable<string>;
}

export function restoreSink(family: Family): RestoreText {
  const chains: Readonly<Record<TableName, LineStore>> = { filter: lineStore(), nat: lineStore() };
  const rules: Readonly<Record<TableName, LineStore>> = { filter: lineStore(), nat: lineStore() };
  return {
    chain: (table, name) => chains[table].push(`:${name} - [0:0]`),
    rule: (table, rule) => rules[table].push(printRule(rule, 'restore', family)),
    text: function* () {
      for (const table of ['filter', 'nat'] as const) {
        if (chains[table].isEmpty()) continue;
        yield `*${table}\n`;
        yield* textOf(chains[table].takeRanges());
        yield* textOf(rules[table].takeRanges());
        yield 'COMMIT\n';
      }
    },
  };
}
