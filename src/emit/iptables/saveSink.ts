import type { Family } from '../../common/family.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import { inlinePostrouting } from './fixedRules.ts';
import { jumpRules } from './jumpRules.ts';
import type { RuleSink, TableName } from './ruleSink.ts';
import { slabs } from './slabs.ts';

/** Collects what `iptables-save` prints on a node that held nothing before kube-proxy's first full sync. */
export interface SaveText extends RuleSink {
  /** The whole text in pieces. */
  readonly text: () => Iterable<string>;
}

type SavedTable = 'mangle' | TableName;

const canary = 'KUBE-PROXY-CANARY';
const markDrop = 'KUBE-MARK-DROP';

/**
 * Groups rules by chain; rules of one chain keep their order. To these come the jumps of the built-in chains, canary
 * chains, and KUBE-MARK-DROP, which is kubelet's: with its rule where one of ours leads there, empty where kube-proxy
 * only makes sure that it exists (1.20–1.24).
 */
export function saveSink(family: Family, dialect: Dialect): SaveText {
  const tables: Readonly<Record<TableName, ChainTexts>> = { filter: chainTexts(), nat: chainTexts() };
  let jumpsToMarkDrop = false;
  const add = (table: TableName, rule: Rule) => tables[table].push(rule.chain, printRule(rule, 'save', family));
  return {
    chain: (table, name) => tables[table].declare(name),
    rule: (table, rule) => {
      if (rule.target?.kind === 'jump' && rule.target.chain === markDrop) jumpsToMarkDrop = true;
      add(table, rule);
    },
    text: function* () {
      addFixed();
      if (dialect.hasCanary) {
        yield* tableText('mangle', chainTexts([canary]));
      }
      yield* tableText('filter', tables.filter);
      yield* tableText('nat', tables.nat);
    },
  };

  function addFixed(): void {
    const jumps = jumpRules(dialect);
    for (const { table, rule } of jumps) {
      if (rule.target?.kind === 'jump') tables[table].declare(rule.target.chain);
    }
    // Inserted one by one at the top: the last stands first.
    for (const { table, rule } of [...jumps].reverse()) add(table, rule);
    if (dialect.postrouting === 'inline') add('nat', inlinePostrouting);
    if (dialect.hasCanary) for (const table of ['filter', 'nat'] as const) tables[table].declare(canary);
    if (dialect.ensuresMarkDrop || jumpsToMarkDrop) tables.nat.declare(markDrop);
    if (jumpsToMarkDrop) {
      add('nat', {
        chain: markDrop,
        words: [],
        target: { kind: 'mark', operation: 'set-xmark', value: 0x8000, mask: 0x8000 },
      });
    }
  }
}

function* tableText(name: SavedTable, chains: ChainTexts): Iterable<string> {
  const builtin = builtinChains(name);
  // Names are ASCII: the engine's own order is that of their bytes.
  const user = chains
    .names()
    .filter((chain) => !builtin.includes(chain))
    .sort();
  const head = slabs();
  head.push(`*${name}`);
  for (const chain of builtin) head.push(`:${chain} ACCEPT [0:0]`);
  for (const chain of user) head.push(`:${chain} - [0:0]`);
  yield* head.text();
  const body = slabs();
  for (const chain of [...builtin, ...user]) {
    for (const text of chains.linesOf(chain)) body.push(text);
  }
  body.push('COMMIT');
  yield* body.text();
}

interface ChainTexts {
  readonly declare: (chain: string) => void;
  readonly push: (chain: string, line: string) => void;
  readonly names: () => string[];
  /** Texts of one or more lines, without the last newline. */
  readonly linesOf: (chain: string) => readonly string[];
}

function chainTexts(declared: readonly string[] = []): ChainTexts {
  // One text for a chain whose rules came in one run, as most do; a list for those that grow with every Service.
  const texts = new Map<string, string | string[]>(declared.map((chain) => [chain, '']));
  let current = '';
  let lines: string[] = [];

  const endRun = () => {
    if (lines.length === 0) return;
    // Joining makes one flat string of lines that were built piece by piece: a third of their memory.
    const text = lines.join('\n');
    const before = texts.get(current);
    if (before === undefined || before === '') texts.set(current, text);
    else if (typeof before === 'string') texts.set(current, [before, text]);
    else before.push(text);
    lines = [];
  };
  return {
    declare: (chain) => {
      if (!texts.has(chain)) texts.set(chain, '');
    },
    push: (chain, line) => {
      if (chain !== current) {
        endRun();
        current = chain;
      }
      lines.push(line);
    },
    names: () => {
      endRun();
      return [...texts.keys()];
    },
    linesOf: (chain) => {
      const text = texts.get(chain) ?? '';
      return text === '' ? [] : typeof text === 'string' ? [text] : text;
    },
  };
}
