import type { Family } from '../../../common/addresses/family.ts';
import type { ReportLine } from '../../lineProblem.ts';
import type { Chain, Rule, Table } from '../ast.ts';
import { type PlacedRule, placeRules } from './placeRules.ts';

/** One table of a text, and what the lines around it show about the program that wrote it. */
export interface ReadTable extends Omit<Table, 'name'> {
  /** Undefined: rules without a table line, as `iptables -S` prints them. */
  readonly name?: string;
  readonly family?: Family;
  /** The back end that the program's name or its header shows. */
  readonly backend?: 'legacy' | 'nft';
}

/** The tables of a text so far, and the one that lines go to. */
export interface TableReader {
  readonly tables: ReadTable[];
  readonly report: ReportLine;
  open?: OpenTable | undefined;
  /** What a prompt or a comment said about the tables that follow. */
  family?: Family;
  backend?: 'legacy' | 'nft' | undefined;
  promptTable?: string | undefined;
}

export interface OpenTable {
  readonly name: string | undefined;
  readonly family: Family | undefined;
  readonly backend: 'legacy' | 'nft' | undefined;
  chains: Chain[];
  readonly rules: Rule[];
  /** Where `-I` put rules, by their number. */
  readonly positions: Map<number, number>;
  /** How many rules there were when a chain was emptied, and when all were. */
  readonly cleared: Map<string, number>;
  clearedAll: number;
  readonly removed: Set<string>;
  isUnfinished?: boolean;
}

export function tableOf(reader: TableReader): OpenTable {
  return reader.open ?? openTable(reader, reader.promptTable);
}

export function tableNamed(reader: TableReader, name: string): OpenTable {
  if (reader.open?.name === name) {
    return reader.open;
  }
  closeTable(reader);
  return openTable(reader, name);
}

export function openTable(reader: TableReader, name: string | undefined): OpenTable {
  const table: OpenTable = {
    name,
    family: reader.family,
    backend: reader.backend,
    chains: [],
    rules: [],
    cleared: new Map(),
    clearedAll: 0,
    removed: new Set(),
    positions: new Map(),
  };
  reader.open = table;
  return table;
}

export function closeTable(reader: TableReader): void {
  const table = reader.open;
  if (!table) {
    return;
  }
  reader.open = undefined;
  const { name, family, backend, cleared, clearedAll, removed } = table;
  const isKept = (rule: Rule, at: number): boolean => at >= Math.max(clearedAll, cleared.get(rule.chain) ?? 0);
  const rules = table.positions.size > 0 ? placeRules(placedRules(table, isKept)) : table.rules.filter(isKept);
  const chains = removed.size === 0 ? table.chains : table.chains.filter((chain) => !removed.has(chain.name));
  reader.tables.push({
    chains,
    rules,
    ...(name !== undefined && { name }),
    ...(family && { family }),
    ...(backend && { backend }),
    ...(table.isUnfinished && { isUnfinished: true as const }),
  });
}

function placedRules(table: OpenTable, isKept: (rule: Rule, at: number) => boolean): readonly PlacedRule[] {
  return table.rules.flatMap((rule, at) => {
    const position = table.positions.get(at);
    return isKept(rule, at) ? [position === undefined ? { rule } : { rule, position }] : [];
  });
}

/** `-F` and `-X`, with or without a chain. */
export function clearChains(table: OpenTable, chain: string, isRemoved: boolean): void {
  if (chain !== '') {
    table.cleared.set(chain, table.rules.length);
    if (isRemoved) {
      table.removed.add(chain);
    }
    return;
  }
  table.clearedAll = table.rules.length;
  if (isRemoved) {
    table.chains = table.chains.filter((known) => known.policy !== undefined);
  }
}
