import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import { emitIptables } from '../../emit/iptables/emitIptables.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import { inlinePostrouting } from '../../emit/iptables/fixedRules.ts';
import { jumpRules } from '../../emit/iptables/jumpRules.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import { addLine } from '../../node/chainLines.ts';
import { isServiceChain } from '../../node/foreignPrograms.ts';
import { chainOf, type RuleChain, type RuleSet, type RuleTable } from '../../node/nodeRules.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { serviceChains } from './serviceChains.ts';

/**
 * What a node that holds nothing but kube-proxy's rules shows in iptables mode, with the service port that each line
 * belongs to. Chains of Services that `dump` holds with the very same text are the dump's own.
 */
export function expectedIptables(plan: Plan, dialect: IptablesDialect, options: EmitOptions, dump?: RuleSet): RuleSet {
  const tables = {
    filter: newTable('filter'),
    nat: newTable('nat'),
    mangle: newTable('mangle'),
  };
  const own = serviceChains(tables.nat, dump?.tables.get('nat'));
  let owner: ServicePlan | undefined;
  let jumpsToMarkDrop = false;
  // Rules of one chain mostly come in a run.
  let current = '';
  let currentTable: RuleTable | undefined;
  let lines: string[] | undefined;
  let shared: RuleChain | undefined;
  const add = (table: RuleTable, rule: Rule) => {
    if (rule.chain !== current || table !== currentTable) {
      current = rule.chain;
      currentTable = table;
      lines = isServiceChain(current) ? own.linesFor(current) : undefined;
      shared = lines === undefined ? chainOf(table, current, '') : undefined;
    }
    const line = printRule(rule, 'save', plan.family);
    if (lines !== undefined) lines.push(line);
    else if (shared !== undefined) {
      shared.owners ??= [];
      shared.owners.push(owner);
      addLine(shared, line, 0);
    }
  };
  const declare = (table: RuleTable, name: string) => {
    chainOf(table, name, '').isDeclared = true;
  };
  emitIptables(plan, dialect, options, {
    chain: (table, name) => {
      if (isServiceChain(name)) own.linesFor(name);
      else declare(tables[table], name);
    },
    rule: (table, rule) => {
      if (rule.target?.kind === 'jump' && rule.target.chain === 'KUBE-MARK-DROP') jumpsToMarkDrop = true;
      add(tables[table], rule);
    },
    service: (service) => {
      own.end(owner);
      current = '';
      owner = service;
    },
  });
  for (const { table, rule } of [...jumpRules(dialect)].reverse()) {
    if (rule.target?.kind === 'jump') declare(tables[table], rule.target.chain);
    add(tables[table], rule);
  }
  if (dialect.postrouting === 'inline') add(tables.nat, inlinePostrouting);
  if (dialect.hasCanary) for (const table of Object.values(tables)) declare(table, 'KUBE-PROXY-CANARY');
  if (jumpsToMarkDrop) {
    declare(tables.nat, 'KUBE-MARK-DROP');
    add(tables.nat, {
      chain: 'KUBE-MARK-DROP',
      words: [],
      target: { kind: 'mark', operation: 'set-xmark', value: 0x8000, mask: 0x8000 },
    });
  }
  const used = Object.values(tables).filter((table) => table.name !== 'mangle' || dialect.hasCanary);
  return {
    kind: 'iptables',
    family: plan.family,
    tables: new Map(used.map((table) => [table.name, table])),
    files: [],
  };
}

function newTable(name: string): RuleTable {
  const table: RuleTable = { name, isWhole: true, chains: new Map() };
  for (const builtin of builtinChains(name)) {
    const chain = chainOf(table, builtin, '');
    chain.isDeclared = true;
    chain.policy = 'ACCEPT';
  }
  return table;
}
