import type { Family } from '../../common/family.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { inlinePostrouting } from './fixedRules.ts';
import { jumpRules } from './jumpRules.ts';
import { patternPrinters } from './patternPrinters.ts';
import type { RuleSink, TableName } from './ruleSink.ts';
import { savedEndpoints } from './savedEndpoints.ts';
import { type SavedTable, savedTable } from './savedTable.ts';

/** Collects what `iptables-save` prints on a node that held nothing before kube-proxy's first full sync. */
export interface SaveText extends RuleSink {
  /** The whole text in pieces. */
  readonly text: () => Iterable<string>;
}

const canary = 'KUBE-PROXY-CANARY';
const markDrop = 'KUBE-MARK-DROP';

/**
 * Groups rules by chain; rules of one chain keep their order. To these come the jumps of the built-in chains, canary
 * chains, and KUBE-MARK-DROP, which is kubelet's: with its rule where one of ours leads there, empty where kube-proxy
 * only makes sure that it exists (1.20–1.24). `behind`: rules of nat that other programs add at the end of their chains.
 */
export function saveSink(family: Family, dialect: IptablesDialect, behind: readonly Rule[] = []): SaveText {
  const tables: Readonly<Record<TableName, SavedTable>> = { filter: savedTable(), nat: savedTable() };
  const endpoints = savedEndpoints();
  let jumpsToMarkDrop = false;
  const add = (table: TableName, rule: Rule) => tables[table].push(rule.chain, printRule(rule, 'save', family));
  return {
    chain: (table, name) => tables[table].declare(name),
    rule: (table, rule) => {
      if (rule.target?.kind === 'jump' && rule.target.chain === markDrop) jumpsToMarkDrop = true;
      add(table, rule);
    },
    pattern: patternPrinters('save', family, (chain, line) => {
      if (chain.startsWith(chainPrefixes.endpoint)) endpoints.push(line);
      else tables.nat.push(chain, line);
    }),
    // A chain of an endpoint always has rules: nothing is lost where its declaration is not kept.
    endpointChains: () => {},
    endpointRules: endpoints.add,
    text: function* () {
      addFixed();
      if (dialect.hasCanary) {
        const mangle = savedTable();
        mangle.declare(canary);
        yield* mangle.text('mangle', builtinChains('mangle'));
      }
      yield* tables.filter.text('filter', builtinChains('filter'));
      yield* tables.nat.text('nat', builtinChains('nat'), endpoints.sorted());
    },
  };

  function addFixed(): void {
    const jumps = jumpRules(dialect);
    for (const { table, rule } of jumps) {
      if (rule.target?.kind === 'jump') tables[table].declare(rule.target.chain);
    }
    // Inserted one by one at the top: the last stands first.
    for (const { table, rule } of [...jumps].reverse()) add(table, rule);
    if (dialect.postrouting === 'inline') add('nat', inlinePostrouting);
    for (const rule of behind) add('nat', rule);
    if (dialect.hasCanary) for (const table of ['filter', 'nat'] as const) tables[table].declare(canary);
    if (dialect.ensuresMarkDrop || jumpsToMarkDrop) tables.nat.declare(markDrop);
    if (jumpsToMarkDrop) {
      add('nat', {
        chain: markDrop,
        words: [],
        target: { kind: 'mark', operation: 'set-xmark', value: 0x8000, mask: 0x8000 },
      });
    }
  }
}
