import { flatText } from '../../../common/text/flatText.ts';
import type { IptablesDialect } from '../../../dialect/iptables/iptablesDialect.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../../netfilter/iptables/print/printRule.ts';
import { isServiceChain } from '../../../netfilter/proxyChains.ts';
import type { Plan } from '../../../plan/plan.ts';
import { emitIptables } from '../emitIptables.ts';
import type { EmitOptions } from '../emitOptions.ts';
import { fixedChains, leadsToMarkDrop, markDropWatch } from '../fixedChains.ts';
import { patternPrinters } from '../patterns/patternPrinters.ts';
import type { RuleSink, TableName } from '../ruleSink.ts';
import { type SavedTable, savedTable } from '../savedTable.ts';
import type { ChainBlock } from './chainOrder.ts';
import { type WrittenDraft, type WrittenService, writtenDraft } from './writtenService.ts';
import type { WrittenForNode } from './writtenServices.ts';

/**
 * What iptables-save prints, as `saveSink` makes it, with the rules of Services that were written before. Undefined: two
 * Service ports write into one chain.
 */
export function savedTextAgain(
  plan: Plan,
  dialect: IptablesDialect,
  options: EmitOptions,
  known: WrittenForNode,
  behind: readonly Rule[],
): Iterable<string> | undefined {
  const tables = { mangle: savedTable(), filter: savedTable(), nat: savedTable() };
  const services: WrittenService[] = [];
  let draft: WrittenDraft | undefined;
  /** The draft's own chains. */
  const open = new Map<string, string>();
  const addLine = (table: TableName, chain: string, line: string) => {
    if (draft !== undefined && isServiceChain(chain)) {
      const text = open.get(chain);
      open.set(chain, text ? `${text}\n${line}` : line);
    } else {
      tables[table].push(chain, line);
      draft?.lines.push([table, chain, line]);
    }
  };
  const end = () => {
    if (draft === undefined) return;
    for (const [name, text] of open) draft.chains.push([name, flatText(text)]);
    open.clear();
    services.push(draft);
    known.keep(draft);
  };
  const add = (table: TableName, each: Rule) => {
    addLine(table, each.chain, printRule(each, 'save', plan.family));
    if (draft !== undefined && leadsToMarkDrop(each)) draft.isOfNode = true;
  };
  const declare = (table: TableName | 'mangle', name: string) => {
    if (draft === undefined || !isServiceChain(name)) tables[table].declare(name);
    else if (!open.has(name)) open.set(name, '');
  };
  const { rule, isUsed } = markDropWatch(add);
  const sink: RuleSink = {
    chain: declare,
    rule,
    pattern: patternPrinters('save', plan.family, (chain, line) => addLine('nat', chain, line)),
    service: (service) => {
      end();
      draft = service && writtenDraft(service);
    },
    hasRulesOf: (service) => {
      const same = known.find(service);
      if (same === undefined) return false;
      draft = undefined;
      services.push(same);
      for (const [table, chain, line] of same.lines) tables[table].push(chain, line);
      return true;
    },
  };
  emitIptables(plan, dialect, options, sink);
  fixedChains(dialect, isUsed(), { chain: declare, rule: add }, behind);
  const blocks = known.order.blocksOf(services);
  return blocks && textOf(tables, dialect, blocks);
}

type Tables = Readonly<Record<TableName | 'mangle', SavedTable>>;

function* textOf(tables: Tables, dialect: IptablesDialect, blocks: readonly ChainBlock[]): Iterable<string> {
  if (dialect.hasCanary) yield* tables.mangle.text('mangle', builtinChains('mangle'));
  yield* tables.filter.text('filter', builtinChains('filter'));
  yield* tables.nat.textWith('nat', builtinChains('nat'), blocks);
}
