import { flatText } from '../../common/text/flatText.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import { emitIptables } from '../../emit/iptables/emitIptables.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import { fixedChains, leadsToMarkDrop, markDropWatch } from '../../emit/iptables/fixedChains.ts';
import { namesOnDemand } from '../../emit/iptables/nameStore.ts';
import { patternPrinters } from '../../emit/iptables/patterns/patternPrinters.ts';
import type { RuleSink, TableName } from '../../emit/iptables/ruleSink.ts';
import { type WrittenDraft, writtenDraft } from '../../emit/iptables/written/writtenService.ts';
import type { WrittenForNode, WrittenServices } from '../../emit/iptables/written/writtenServices.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { addLines, chainOf, type TableDraft } from '../../node/chains/chainDraft.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { EqualChainsDraft } from '../../node/chains/equalChains.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';
import { natBytes } from '../search/natBytes.ts';
import { searchEndpoints } from '../search/searchEndpoints.ts';
import { searchedEndpoints } from '../search/searchedEndpoints.ts';
import { searchedNames } from '../search/searchedNames.ts';
import { serviceChains } from './serviceChains.ts';

/** What the rules are compared with, and what was written for other nodes. */
export interface ComparedWith {
  readonly found: ToolRules | undefined;
  readonly equal: EqualChainsDraft;
  readonly like?: ToolRules | undefined;
  readonly written: WrittenServices | undefined;
  /** Looks for chains of endpoints in what was found; undefined: no thread is available. */
  readonly search?: SearchEndpoints | undefined;
  /** Chains of endpoints, and the rules that lead to them, are left out. */
  readonly skipsEndpoints?: true;
}

/**
 * What a node with nothing but kube-proxy's rules shows in iptables mode, with the Service port that each line belongs
 * to. Chains of Services with the same text in `found` go into `equal` instead.
 */
export function expectedIptables(
  plan: Plan,
  dialect: IptablesDialect,
  options: EmitOptions,
  { found, equal, like, written, search: begun, skipsEndpoints }: ComparedWith,
): ToolRules {
  const tables = { filter: newTable('filter'), nat: newTable('nat'), mangle: newTable('mangle') };
  const bytes = natBytes(found);
  const search = bytes && searchEndpoints(plan, dialect, begun);
  // Chains in bytes are searched for differently.
  const known = bytes === undefined ? written?.of(plan, dialect, options) : undefined;
  const { add, addLine, declare, own, repeat } = ruleAdder(plan, tables, { found, equal, like, known });
  const { rule, isUsed } = markDropWatch((table, each) => add(tables[table], each));
  const sink: RuleSink = {
    chain: (table, name) => declare(tables[table], name),
    rule,
    pattern: patternPrinters('save', plan.family, (chain, line) => addLine(tables.nat, chain, line)),
    service: own,
    ...(known && { hasRulesOf: repeat }),
    ...(skipsEndpoints && { skipsEndpoints }),
    ...(search && searchedEndpoints(search, bytes, equal, (chain) => declare(tables.nat, chain))),
  };
  const names = skipsEndpoints ? namesOnDemand() : search && searchedNames(search);
  emitIptables(plan, dialect, options, sink, names);
  own(undefined);
  fixedChains(dialect, isUsed(), {
    chain: (table, name) => declare(tables[table], name),
    rule: (table, each) => add(tables[table], each),
  });
  const used = Object.values(tables).filter((table) => table.name !== 'mangle' || dialect.hasCanary);
  return {
    kind: 'iptables',
    family: plan.family,
    tables: new Map(used.map((table) => [table.name, table])),
    files: [],
  };
}

/** Appends rules to their chains, with the most recent Service port. */
function ruleAdder(
  plan: Plan,
  tables: { readonly nat: TableDraft; readonly filter: TableDraft },
  { found, equal, like, known }: Omit<ComparedWith, 'written'> & { readonly known: WrittenForNode | undefined },
) {
  const services = serviceChains(tables.nat, { found: found?.tables.get('nat'), equal, like: like?.tables.get('nat') });
  let owner: string | undefined;
  let draft: WrittenDraft | undefined;
  // Rules of one chain usually come together.
  let current = '';
  let currentTable: TableDraft | undefined;
  let put: (line: string) => void = () => {};
  const addLine = (table: TableDraft, chain: string, line: string) => {
    if (chain !== current || table !== currentTable) {
      current = chain;
      currentTable = table;
      put = isServiceChain(chain) ? services.adderOf(chain) : ofAll(table, chain, () => owner);
    }
    put(line);
    if (draft !== undefined && !isServiceChain(chain)) draft.lines.push([table.name as TableName, chain, line]);
  };
  return {
    own: (next: ServicePlan | undefined) => {
      if (draft === undefined) services.end(owner);
      else {
        const { chains } = draft;
        services.end(owner, (name, text) => chains.push([name, flatText(text)]));
        known?.keep(draft);
      }
      current = '';
      owner = next && servicePortName(next.port);
      draft = known && next && writtenDraft(next);
    },
    /** Appends what was written for another node, if it is the same here. */
    repeat: (service: ServicePlan) => {
      const same = known?.find(service);
      if (same === undefined) return false;
      draft = undefined;
      for (const [name, text] of same.chains) services.put(owner, name, text);
      for (const [table, chain, line] of same.lines) addLine(tables[table], chain, line);
      return true;
    },
    declare: (table: TableDraft, name: string) => {
      if (isServiceChain(name)) services.adderOf(name);
      else chainOf(table, name, '').isDeclared = true;
    },
    add: (table: TableDraft, rule: Rule) => {
      addLine(table, rule.chain, printRule(rule, 'save', plan.family));
      if (draft !== undefined && leadsToMarkDrop(rule)) draft.isOfNode = true;
    },
    addLine,
  };
}

function ofAll(table: TableDraft, name: string, owner: () => string | undefined): (line: string) => void {
  const chain = chainOf(table, name, '');
  chain.owners ??= [];
  const { owners } = chain;
  return (line) => {
    owners.push(owner());
    // One chain has a line for every Service, and lives as long as the comparison.
    addLines(chain, flatText(line), 0);
  };
}

function newTable(name: string): TableDraft {
  const table: TableDraft = { name, isWhole: true, chains: new Map() };
  for (const builtin of builtinChains(name)) {
    const chain = chainOf(table, builtin, '');
    chain.isDeclared = true;
    chain.policy = 'ACCEPT';
  }
  return table;
}
