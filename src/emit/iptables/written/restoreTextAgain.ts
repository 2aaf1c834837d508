import { flatText } from '../../../common/text/flatText.ts';
import type { IptablesDialect } from '../../../dialect/iptables/iptablesDialect.ts';
import { printRule } from '../../../netfilter/iptables/print/printRule.ts';
import type { Plan } from '../../../plan/plan.ts';
import { emitIptables } from '../emitIptables.ts';
import type { EmitOptions } from '../emitOptions.ts';
import { joinedTexts } from '../joinedTexts.ts';
import { patternPrinters } from '../patterns/patternPrinters.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { RestoreTexts } from './writtenService.ts';
import type { WrittenForNode } from './writtenServices.ts';

/** As `restoreText`, with the parts of Services that were written before; all parts are kept. */
export function* restoreTextAgain(
  plan: Plan,
  dialect: IptablesDialect,
  options: EmitOptions,
  { restored }: WrittenForNode,
): Generator<string> {
  const parts: RestoreTexts[] = [];
  let open = empty();
  const end = () => {
    const { filterChains, filterRules, natChains, natRules } = open;
    const part = {
      filterChains: flatText(filterChains),
      filterRules: flatText(filterRules),
      natChains: flatText(natChains),
      natRules: flatText(natRules),
    };
    parts.push(part);
    open = empty();
    return part;
  };
  const push = (line: string, to: keyof RestoreTexts) => {
    open[to] += line;
    open[to] += '\n';
  };
  let current: Plan['services'][number] | undefined;
  const sink: RuleSink = {
    chain: (table, name) => push(`:${name} - [0:0]`, `${table}Chains`),
    rule: (table, rule) => push(printRule(rule, 'restore', plan.family), `${table}Rules`),
    pattern: patternPrinters('restore', plan.family, (_chain, line) => push(line, 'natRules')),
    service: (service) => {
      const part = isOpen(open) ? end() : undefined;
      if (current !== undefined && part !== undefined) restored.set(current, part);
      current = service;
    },
    hasRulesOf: (service) => {
      const same = restored.get(service);
      if (same === undefined) return false;
      parts.push(same);
      current = undefined;
      return true;
    },
  };
  emitIptables(plan, dialect, options, sink);
  end();
  for (const table of ['filter', 'nat'] as const) {
    if (parts.every((part) => part[`${table}Chains`] === '')) continue;
    yield `*${table}\n`;
    yield* joinedTexts(parts.map((part) => part[`${table}Chains`]));
    yield* joinedTexts(parts.map((part) => part[`${table}Rules`]));
    yield 'COMMIT\n';
  }
}

function empty(): RestoreTexts {
  return { filterChains: '', filterRules: '', natChains: '', natRules: '' };
}

function isOpen(texts: RestoreTexts): boolean {
  return Object.values(texts).some((text) => text !== '');
}
