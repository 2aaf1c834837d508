import type { Family } from '../../common/addresses/family.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { endpointChainLength } from '../../netfilter/writeEndpointChain.ts';
import type { IptablesEmission } from './emitIptables.ts';
import { joinedLines } from './joinedLines.ts';
import { lineStore, textOf } from './lineStore.ts';
import { patternPrinters } from './patterns/patternPrinters.ts';
import type { RuleSink } from './ruleSink.ts';

/**
 * The text that kube-proxy passes to `iptables-restore --noflush --counters`, byte for byte, in pieces; tables without
 * chains are left out. Chain lines come before all rules, so the plan is lowered twice, and the rules of nat, which are
 * nearly all of the text, are never in memory as a whole.
 */
export function* restoreText(emit: IptablesEmission, family: Family): Generator<string> {
  const chains = { filter: lineStore(), nat: lineStore() };
  const filterRules = lineStore();
  const first: RuleSink = {
    chain: (table, name) => chains[table].push(`:${name} - [0:0]`),
    endpointChains: ({ bytes, start, end }) => {
      for (let at = start; at < end; at += endpointChainLength) {
        chains.nat.pushBytes(bytes, at, at + endpointChainLength, ':', ' - [0:0]');
      }
    },
    skipsNatRules: true,
    rule: (table, rule) => {
      if (table === 'filter') filterRules.push(printRule(rule, 'restore', family));
    },
    pattern: () => () => {},
  };
  for (const _service of emit(first));
  if (!chains.filter.isEmpty()) {
    yield '*filter\n';
    yield* textOf(chains.filter.takeRanges());
    yield* textOf(filterRules.takeRanges());
    yield 'COMMIT\n';
  }
  if (chains.nat.isEmpty()) return;
  yield '*nat\n';
  yield* textOf(chains.nat.takeRanges());
  const rules = joinedLines();
  const second: RuleSink = {
    chain: () => {},
    rule: (table, rule) => {
      if (table === 'nat') rules.push(printRule(rule, 'restore', family));
    },
    pattern: patternPrinters('restore', family, (_chain, line) => rules.push(line)),
  };
  for (const _service of emit(second)) if (rules.isFull()) yield* rules.take();
  yield* rules.take();
  yield 'COMMIT\n';
}
