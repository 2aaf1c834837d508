import { compareBytes } from '../common/compareBytes.ts';
import type { Family } from '../common/family.ts';
import type { Table } from '../netfilter/iptables/ast.ts';
import { expandAddresses } from '../netfilter/iptables/canonical.ts';
import { parseIptables } from '../netfilter/iptables/parse.ts';
import { printRule } from '../netfilter/iptables/printRule.ts';

/** Tables and chains by name, rules canonical and in their order inside a chain. Lines that cannot be read come last. */
export function iptablesMeaning(text: string, family: Family | undefined): readonly string[] {
  const source = text.split('\n');
  const unread = new Set<number>();
  const ruleset = parseIptables(text, family === undefined ? {} : { family }, ({ line }) => unread.add(line));
  const tables = [...ruleset.tables].sort((one, other) => compareBytes(one.name, other.name));
  const lines = tables.flatMap((table) => tableLines(table, ruleset.family));
  return [...lines, ...[...unread].map((line) => `unread: ${source[line - 1] ?? ''}`)];
}

function tableLines(table: Table, family: Family): readonly string[] {
  const chains = new Map<string, string[]>();
  const policies = new Map<string, string>();
  for (const { name, policy } of table.chains) {
    chains.set(name, []);
    if (policy !== undefined && policy !== '-') policies.set(name, policy);
  }
  for (const rule of table.rules) {
    const lines = chains.get(rule.chain) ?? [];
    chains.set(rule.chain, lines);
    for (const one of expandAddresses(rule)) lines.push(printRule(one, 'save', family));
  }
  const names = [...chains.keys()].sort(compareBytes);
  return [
    `*${table.name}`,
    ...names.map((name) => `:${name} ${policies.get(name) ?? '-'}`),
    ...names.flatMap((name) => chains.get(name) ?? []),
  ];
}
