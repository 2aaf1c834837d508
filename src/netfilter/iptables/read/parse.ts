import type { Family } from '../../../common/addresses/family.ts';
import type { ReportLine } from '../../lineProblem.ts';
import type { Ruleset, Table } from '../ast.ts';
import { guessFamily, guessTable } from './guess.ts';
import { readTables } from './readTables.ts';
import type { ReadTable } from './tableReader.ts';

export interface ParseOptions {
  /** Undefined: the addresses and the comments in the text show it; the default is IPv4. */
  readonly family?: Family;
  /** The table of rules without one (`iptables -S`); undefined: their chains and targets show it. */
  readonly table?: string;
}

/**
 * Reads a text of iptables-save, iptables-restore or `iptables -S` as one rule set. Never throws; every line that
 * cannot be read goes to `report`. Two tables of one name stay two: {@link parseDumps} takes such texts apart.
 */
export function parseIptables(text: string, options: ParseOptions, report: ReportLine): Ruleset {
  return rulesetOf(readTables(text, report), options);
}

/** The same for a text of several dumps one after another, as of both families: a table that comes again begins a new one. */
export function parseDumps(text: string, options: ParseOptions, report: ReportLine): readonly Ruleset[] {
  const dumps: ReadTable[][] = [];
  let names = new Set<string>();
  for (const table of readTables(text, report)) {
    const last = dumps.at(-1);
    const name = table.name ?? options.table ?? guessTable(table);
    const isOtherFamily = last?.[0]?.family !== table.family && table.family !== undefined;
    const isOtherBackend = last?.[0]?.backend !== table.backend && table.backend !== undefined;
    if (!last || names.has(name) || isOtherFamily || isOtherBackend) {
      dumps.push([table]);
      names = new Set([name]);
    } else {
      last.push(table);
      names.add(name);
    }
  }
  return dumps.map((tables) => rulesetOf(tables, options));
}

function rulesetOf(read: readonly ReadTable[], options: ParseOptions): Ruleset {
  const tables: readonly Table[] = read.map((table) => ({
    name: table.name ?? options.table ?? guessTable(table),
    chains: table.chains,
    rules: table.rules,
    ...(table.isUnfinished && { isUnfinished: true as const }),
  }));
  // What the addresses say counts more than a comment: every variant of ip6tables can be called by another name.
  const family = options.family ?? guessFamily(tables) ?? read.find((table) => table.family)?.family ?? 'ipv4';
  const backend = read.find((table) => table.backend)?.backend;
  return { kind: 'iptables', family, ...(backend && { backend }), tables };
}
