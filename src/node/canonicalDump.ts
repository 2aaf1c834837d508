import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { printRule } from '../netfilter/iptables/printRule.ts';
import { linesOf } from './chainLines.ts';
import type { NodeDump, RuleChain, RuleSet } from './nodeRules.ts';
import { rulesOf } from './rulesOf.ts';

/**
 * A dump in its one form: no counters, dates or comments of tools; tables and chains in a fixed order; every rule as
 * iptables-save of the present spells it. Two dumps that differ only in what means nothing print the same.
 */
export function* canonicalDump(dump: NodeDump): Iterable<string> {
  const sets = [...dump.sets].sort((a, b) => compare(`${a.kind} ${a.family}`, `${b.kind} ${b.family}`));
  for (const set of sets) yield* set.kind === 'iptables' ? iptablesLines(set) : otherLines(set);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function* iptablesLines(set: RuleSet): Iterable<string> {
  yield `# ${set.family}${set.backend ? ` ${set.backend}` : ''}\n`;
  for (const table of [...set.tables.values()].sort((a, b) => compare(a.name, b.name))) {
    yield `*${table.name}\n`;
    const chains = savedOrder(table.name, [...table.chains.values()]);
    let head = '';
    for (const { name, policy } of chains) head += `:${name} ${policy ?? '-'} [0:0]\n`;
    yield head;
    for (const chain of chains) {
      let text = '';
      for (const rule of rulesOf(chain, set.family)) {
        text +=
          rule.chain === '' && rule.target?.kind === 'other'
            ? `${rule.target.name}\n`
            : `${printRule(rule, 'save', set.family)}\n`;
      }
      yield text;
    }
    yield 'COMMIT\n';
  }
}

function savedOrder(table: string, chains: readonly RuleChain[]): readonly RuleChain[] {
  const builtin = builtinChains(table);
  const place = ({ name }: RuleChain) => (builtin.includes(name) ? builtin.indexOf(name) : builtin.length);
  return [...chains].sort((a, b) => place(a) - place(b) || compare(a.name, b.name));
}

/** Sets, virtual services, tables of nft: members that have no order are sorted. */
function* otherLines(set: RuleSet): Iterable<string> {
  for (const table of [...set.tables.values()].sort((a, b) => compare(a.name, b.name))) {
    yield `# ${set.kind} ${set.family} ${table.name}\n`;
    for (const chain of [...table.chains.values()].sort((a, b) => compare(a.name, b.name))) {
      const isOrdered = set.kind === 'nftables' && !/^(?:set|map) /.test(chain.name);
      const [first, ...rest] = linesOf(chain);
      const lines = isOrdered
        ? linesOf(chain)
        : set.kind === 'addresses'
          ? [...linesOf(chain)].sort()
          : first === undefined
            ? []
            : [first, ...rest.sort()];
      yield `${chain.name}\n${lines.map((line) => `  ${line}\n`).join('')}`;
    }
  }
}
