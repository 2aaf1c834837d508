import type { LineProblem } from '../../lineProblem.ts';
import type { BaseChain, NftChain, NftRule, NftRuleset, NftSet, NftTable, Statement } from '../ast.ts';
import { elementFromJson } from '../element.ts';
import { statementFromJson } from '../statements.ts';
import { asNumber, asRecord, asText, defined, only } from './jsonValue.ts';

/**
 * Reads what `nft -j list ruleset` prints, into the same AST as the text listing. nft 1.0.6 leaves three things out of
 * its JSON: comments of tables and chains, the `dynamic` flag, and fractions of seconds. Never throws; problems
 * name line 1, since nft prints everything on one.
 */
export function parseJson(text: string): {
  readonly ruleset: NftRuleset;
  readonly problems: readonly LineProblem[];
} {
  const problems: LineProblem[] = [];
  const report = (message: string) => problems.push({ line: 1, message });
  const tables = new Map<string, TableParts>();
  for (const item of itemsOf(text, report)) {
    const [kind, body] = only(item) ?? [];
    const record = asRecord(body) ?? {};
    if (kind === 'metainfo') {
      continue;
    }
    if (kind === 'table') {
      tables.set(`${record.family} ${record.name}`, newTable(record));
      continue;
    }
    const table = tables.get(`${record.family} ${record.table}`);
    const isRead = table !== undefined && kind !== undefined && addObject(table, kind, record);
    if (!isRead) {
      report(`not read: ${JSON.stringify(item).slice(0, 120)}`);
    }
  }
  return { ruleset: { kind: 'nftables', tables: [...tables.values()].map(finish) }, problems };
}

type Json = Readonly<Record<string, unknown>>;

interface TableParts {
  readonly table: NftTable;
  readonly sets: NftSet[];
  readonly chains: Map<string, { readonly chain: NftChain; readonly rules: NftRule[] }>;
}

function itemsOf(text: string, report: (message: string) => void): readonly unknown[] {
  try {
    const items = asRecord(JSON.parse(text))?.nftables;
    if (Array.isArray(items)) {
      return items;
    }
    report('there is no list named "nftables"');
  } catch (error) {
    report(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  return [];
}

function newTable(record: Json): TableParts {
  const table: NftTable = {
    family: asText(record.family) ?? '',
    name: asText(record.name) ?? '',
    ...defined({
      comment: asText(record.comment),
      flags: record.flags === undefined ? undefined : textsOf(record.flags),
      handle: asNumber(record.handle),
    }),
    sets: [],
    chains: [],
  };
  return { table, sets: [], chains: new Map() };
}

function finish({ table, sets, chains }: TableParts): NftTable {
  return { ...table, sets, chains: [...chains.values()].map(({ chain, rules }) => ({ ...chain, rules })) };
}

function addObject(table: TableParts, kind: string, record: Json): boolean {
  const name = asText(record.name);
  if (kind === 'rule') {
    const chain = table.chains.get(asText(record.chain) ?? '');
    chain?.rules.push(ruleOf(record));
    return chain !== undefined;
  }
  if (name === undefined) {
    return false;
  }
  if (kind === 'chain') {
    table.chains.set(name, { chain: chainOf(name, record), rules: [] });
    return true;
  }
  const set = kind === 'set' || kind === 'map' ? setOf(kind, name, record) : undefined;
  if (set !== undefined) {
    table.sets.push(set);
  }
  return set !== undefined;
}

function devicesOf(value: unknown): Partial<Pick<BaseChain, 'device' | 'devices'>> {
  if (typeof value === 'string') return { device: value };
  return Array.isArray(value) ? { devices: value.filter((name) => typeof name === 'string') } : {};
}

function chainOf(name: string, record: Json): NftChain {
  const type = asText(record.type);
  const hook = asText(record.hook);
  const priority = asNumber(record.prio);
  const base =
    type === undefined || hook === undefined || priority === undefined
      ? undefined
      : { type, hook, priority, ...devicesOf(record.dev), ...defined({ policy: asText(record.policy) }) };
  return {
    name,
    ...defined({ base, comment: asText(record.comment), handle: asNumber(record.handle) }),
    rules: [],
  };
}

function ruleOf(record: Json): NftRule {
  const statements: Statement[] = [];
  for (const item of Array.isArray(record.expr) ? record.expr : []) {
    const [name, body] = only(item) ?? [];
    statements.push(
      name === undefined ? { kind: 'foreign', text: JSON.stringify(item) } : statementFromJson(name, body),
    );
  }
  return {
    statements,
    ...defined({ comment: asText(record.comment), handle: asNumber(record.handle) }),
  };
}

function setOf(kind: 'set' | 'map', name: string, record: Json): NftSet | undefined {
  const type = textsOf(record.type);
  const valueType = kind === 'map' ? textsOf(record.map).flatMap((type) => type.split(' . ')) : undefined;
  const items = Array.isArray(record.elem) ? record.elem : [];
  const elements = items.map((item) => elementFromJson(item, type, valueType));
  if (type.length === 0 || !elements.every((element) => element !== undefined)) {
    return undefined;
  }
  const timeout = milliseconds(record.timeout);
  const flags = textsOf(record.flags ?? []);
  return {
    kind,
    name,
    type,
    ...defined({
      valueType,
      size: asNumber(record.size),
      timeout,
      gcInterval: milliseconds(record['gc-interval']),
      policy: asText(record.policy),
      comment: asText(record.comment),
      handle: asNumber(record.handle),
    }),
    ...(record['auto-merge'] === true ? { hasAutoMerge: true } : {}),
    // The text names the flag only beside others, the timeout says it all.
    flags: timeout !== undefined && flags.length === 1 && flags[0] === 'timeout' ? [] : flags,
    elements,
  };
}

function milliseconds(value: unknown): number | undefined {
  const seconds = asNumber(value);
  return seconds === undefined ? undefined : seconds * 1000;
}

function textsOf(value: unknown): readonly string[] {
  return [value].flat().filter((item) => typeof item === 'string');
}
