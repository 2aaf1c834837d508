import type { Chain, Rule, Ruleset, Table } from '../ast.ts';
import { builtinChains } from '../builtinChains.ts';
import { expandAddresses } from '../canonical.ts';
import type { IptablesSpelling } from '../matchKind.ts';
import { printRule } from './printRule.ts';
import { bareWord } from './quote.ts';

export interface PrintOptions {
  /** In save spelling: counters in front of rules, as `iptables-save -c` prints them, where they are known. */
  readonly hasCounters?: boolean;
}

/**
 * A whole rule set in pieces of some hundred kilobytes, tables in their given order. `restore`: chain lines and rules as
 * they are. `save`: as iptables-save prints it, built-in chains first and in the order of their hooks, then the others
 * in byte order, rules by chain; without the `#` lines, which hold a date.
 */
export function* printRuleset(
  ruleset: Ruleset,
  spelling: IptablesSpelling,
  options: PrintOptions = {},
): Generator<string> {
  for (const table of ruleset.tables) {
    const lines = spelling === 'save' ? savedLines(table, ruleset, options) : writtenLines(table, ruleset);
    let slab = '';
    for (const line of lines) {
      slab += line;
      slab += '\n';
      if (slab.length > slabSize) {
        yield slab;
        slab = '';
      }
    }
    yield slab;
  }
}

const slabSize = 1 << 18;

function* writtenLines(table: Table, { family }: Ruleset): Generator<string> {
  yield `*${bareWord(table.name)}`;
  for (const chain of table.chains) {
    yield chainLine(chain);
  }
  for (const rule of table.rules) {
    yield printRule(rule, 'restore', family);
  }
  yield 'COMMIT';
}

function* savedLines(table: Table, { family }: Ruleset, options: PrintOptions): Generator<string> {
  const chains = savedChains(table);
  const rules = new Map<string, Rule[]>(chains.map((chain) => [chain.name, []]));
  for (const rule of table.rules) {
    rules.get(rule.chain)?.push(rule);
  }
  yield `*${bareWord(table.name)}`;
  for (const chain of chains) {
    yield chainLine(chain);
  }
  for (const ofChain of rules.values()) {
    for (const rule of ofChain) {
      const counters = options.hasCounters && rule.counters !== undefined ? `${rule.counters} ` : '';
      for (const one of expandAddresses(rule)) {
        yield counters + printRule(one, 'save', family);
      }
    }
  }
  yield 'COMMIT';
}

/** The chains in the order in which iptables-save prints them; one that only rules name counts too. */
function savedChains(table: Table): readonly Chain[] {
  const builtin = builtinChains(table.name);
  const chains = new Map<string, Chain>();
  for (const { chain } of table.rules) {
    if (!chains.has(chain)) {
      chains.set(chain, builtin.includes(chain) ? { name: chain, policy: 'ACCEPT' } : { name: chain });
    }
  }
  for (const chain of table.chains) {
    chains.set(chain.name, chain);
  }
  const place = (chain: Chain): number => {
    const at = builtin.indexOf(chain.name);
    return at !== -1 ? at : builtin.length + (chain.policy === undefined ? 1 : 0);
  };
  return [...chains.values()].sort(
    (one, other) => place(one) - place(other) || (one.name < other.name ? -1 : one.name > other.name ? 1 : 0),
  );
}

function chainLine(chain: Chain): string {
  return `:${bareWord(chain.name)} ${bareWord(chain.policy ?? '-')} ${chain.counters ?? '[0:0]'}`;
}
