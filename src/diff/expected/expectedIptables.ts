import type { Dialect } from '../../dialect/dialect.ts';
import { emitIptables } from '../../emit/iptables/emitIptables.ts';
import type { EmitOptions } from '../../emit/iptables/emitOptions.ts';
import { inlinePostrouting } from '../../emit/iptables/fixedRules.ts';
import { jumpRules } from '../../emit/iptables/jumpRules.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { addBlock } from '../chainLines.ts';
import { isServiceChain } from '../foreignPrograms.ts';
import { chainOf, type RuleChain, type RuleSet, type RuleTable } from '../nodeRules.ts';

/**
 * What a node that holds nothing but kube-proxy's rules shows in iptables mode, each line with the service port that it
 * belongs to.
 */
export function expectedIptables(plan: Plan, dialect: Dialect, options: EmitOptions): RuleSet {
  const tables = {
    filter: newTable('filter'),
    nat: newTable('nat'),
    mangle: newTable('mangle'),
  };
  let owner: ServicePlan | undefined;
  let jumpsToMarkDrop = false;
  // Rules of one chain mostly come in a run: joined, they are one flat string.
  let current: RuleChain | undefined;
  let run: string[] = [];
  const endRun = () => {
    if (current !== undefined && run.length > 0) addBlock(current, run.join('\n'), 0);
    run = [];
  };
  const add = (table: 'filter' | 'nat', rule: Rule) => {
    if (current?.name !== rule.chain || tables[table].chains.get(rule.chain) !== current) {
      endRun();
      current = chainOf(tables[table], rule.chain, '');
    }
    if (isServiceChain(rule.chain)) {
      if (owner !== undefined) current.owner = owner;
    } else {
      current.owners ??= [];
      current.owners.push(owner);
    }
    run.push(printRule(rule, 'save', plan.family));
  };
  const declare = (table: RuleTable, name: string) => {
    chainOf(table, name, '').isDeclared = true;
  };
  emitIptables(plan, dialect, options, {
    chain: (table, name) => declare(tables[table], name),
    rule: (table, rule) => {
      if (rule.target?.kind === 'jump' && rule.target.chain === 'KUBE-MARK-DROP') jumpsToMarkDrop = true;
      add(table, rule);
    },
    service: (service) => {
      owner = service;
    },
  });
  for (const { table, rule } of [...jumpRules(dialect)].reverse()) {
    if (rule.target?.kind === 'jump') declare(tables[table], rule.target.chain);
    add(table, rule);
  }
  if (dialect.postrouting === 'inline') add('nat', inlinePostrouting);
  if (dialect.hasCanary) for (const table of Object.values(tables)) declare(table, 'KUBE-PROXY-CANARY');
  if (jumpsToMarkDrop) {
    declare(tables.nat, 'KUBE-MARK-DROP');
    add('nat', {
      chain: 'KUBE-MARK-DROP',
      words: [],
      target: { kind: 'mark', operation: 'set-xmark', value: 0x8000, mask: 0x8000 },
    });
  }
  endRun();
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
