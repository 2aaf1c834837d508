import type { Family } from '../../common/addresses/family.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { savedEndpoints } from './endpoints/savedEndpoints.ts';
import { fixedChains, markDropWatch } from './fixedChains.ts';
import { patternPrinters } from './patterns/patternPrinters.ts';
import type { RuleSink, TableName } from './ruleSink.ts';
import { savedTable } from './savedTable.ts';

/** Collects what `iptables-save` prints on a node that had no rules before kube-proxy's first full sync. */
export interface SaveText extends RuleSink {
  /** The whole text in pieces. */
  readonly text: () => Iterable<string>;
}

/**
 * Groups rules by chain; rules of one chain keep their order. Everything else on a node is added.
 * `behind`: nat rules that other programs append to their chains.
 */
export function saveSink(family: Family, dialect: IptablesDialect, behind: readonly Rule[] = []): SaveText {
  const tables = { mangle: savedTable(), filter: savedTable(), nat: savedTable() };
  const endpoints = savedEndpoints();
  const declare = (table: TableName | 'mangle', name: string) => tables[table].declare(name);
  const add = (table: TableName, rule: Rule) => tables[table].push(rule.chain, printRule(rule, 'save', family));
  const { rule, isUsed } = markDropWatch(add);
  return {
    chain: declare,
    rule,
    pattern: patternPrinters('save', family, (chain, line) => {
      if (chain.startsWith(chainPrefixes.endpoint)) endpoints.push(line);
      else tables.nat.push(chain, line);
    }),
    // A chain of an endpoint always has rules: nothing is lost if its declaration is not kept.
    endpointChains: () => {},
    endpointRules: endpoints.add,
    text: function* () {
      fixedChains(dialect, isUsed(), { chain: declare, rule: add }, behind);
      if (dialect.hasCanary) yield* tables.mangle.text('mangle', builtinChains('mangle'));
      yield* tables.filter.text('filter', builtinChains('filter'));
      yield* tables.nat.text('nat', builtinChains('nat'), endpoints.sorted());
    },
  };
}
