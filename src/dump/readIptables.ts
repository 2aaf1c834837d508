import type { Family } from '../common/addresses/family.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Ruleset, Table } from '../netfilter/iptables/ast.ts';
import { expandAddresses } from '../netfilter/iptables/canonical.ts';
import { printRule } from '../netfilter/iptables/print/printRule.ts';
import { guessFamily } from '../netfilter/iptables/read/guess.ts';
import { parseDumps } from '../netfilter/iptables/read/parse.ts';
import { parseRule } from '../netfilter/iptables/read/parseRule.ts';
import type { LineProblem, ReportLine } from '../netfilter/lineProblem.ts';
import { addCountedLine, type ChainDraft, chainOf, type TableDraft } from '../node/chains/chainDraft.ts';
import { type DumpPlace, linesOf, numberAt } from '../node/lines/chainLines.ts';
import type { NodeRules, RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { checkLines } from './checkLines.ts';
import { cutEnd } from './cutEnd.ts';
import { damagesByTable } from './damagesByTable.ts';
import type { DumpFile } from './dumpFile.ts';
import { familyMarks } from './familyMarks.ts';
import { indexSave, type TextTable } from './indexSave.ts';
import { cleanPaste } from './paste/cleanPaste.ts';
import type { SoundLines } from './soundLines.ts';
import { splitTable } from './splitTable.ts';
import { withCut } from './withCut.ts';

/** What one iptables text holds: one set of rules for each family and back end. */
export interface ReadIptables {
  readonly sets: readonly ToolRules[];
  readonly hiddenTables: NodeRules['hiddenTables'];
  readonly legacyWarnings: NodeRules['legacyWarnings'];
  readonly notes: readonly string[];
}

/**
 * Reads any iptables text. The output of iptables-save is only sorted into chains; everything else is parsed and
 * rewritten in that spelling. `family` applies to texts that do not show it; `sound` has lines that were readable in
 * other dumps.
 */
export function readIptables(
  given: DumpFile,
  family: Family | undefined,
  report: ReportLine,
  sound?: SoundLines,
): ReadIptables {
  const start = cutEnd(given.text);
  if (start === undefined) return readWhole(given, family, report, sound);
  const read = readWhole({ ...given, text: given.text.slice(0, start) }, family, report, sound);
  const line = given.text.slice(0, start).split('\n').length;
  return { ...read, notes: [...read.notes, `${given.name}: line ${line} is cut at the end and left out`] };
}

function readWhole(
  file: DumpFile,
  family: Family | undefined,
  report: ReportLine,
  sound: SoundLines | undefined,
): ReadIptables {
  const { name, text, isExcerpt } = file;
  const hinted = family ?? familyHint(name);
  const isChecked = text.length < checkedSize && !isExcerpt;
  // Lists of addresses, which no tool prints, stand for several rules.
  const hasLists = isChecked && / -[sd] [^ ,\n]*,/.test(text);
  const indexed = hasLists || endsInRule(text) ? undefined : indexSave(text, name);
  if (indexed !== undefined && indexed.length > 0) {
    const damaged = new Map<TextTable, number>();
    if (isChecked) for (const table of indexed) damaged.set(table, checkLines(table, report, sound));
    const sets = groups(indexed).map((tables) =>
      setOf(tables, backendOf(tables[0]?.backend, name), hinted, file, damaged),
    );
    return { sets, hiddenTables: [], legacyWarnings: [], notes: [] };
  }
  // What is left out might also have been a readable line.
  if (isExcerpt) return { sets: [], hiddenTables: [], legacyWarnings: [], notes: [] };
  return readCarefully(file, hinted, report);
}

/** The text stops in the middle of a rule. */
function endsInRule(text: string): boolean {
  const end = text.trimEnd();
  const last = end.slice(end.lastIndexOf('\n') + 1);
  return ruleLine.test(last) && parseRule(last).kind === 'problem';
}

/** Texts up to this size are parsed as a whole, in order to name lines that no tool can read. */
const checkedSize = 8 << 20;

function readCarefully({ name, text }: DumpFile, hinted: Family | undefined, report: ReportLine): ReadIptables {
  const cleaned = cleanPaste(text);
  const hiddenTables: { table: string; file: string; line: number }[] = [];
  const legacyWarnings: DumpPlace[] = [];
  const notes: string[] = [];
  const lines = cleaned.text.split('\n');
  const damaged: number[] = [];
  const dumps = parseDumps(cleaned.text, {}, (problem: LineProblem) => {
    const hidden = /^# Table [`'"]?([a-z]+)[`'"]? is incompatible/.exec(problem.word ?? '');
    if (hidden !== null) hiddenTables.push({ table: hidden[1] as string, file: name, line: problem.line });
    else if (problem.word?.startsWith('# Warning: iptables-legacy')) {
      legacyWarnings.push({ file: name, line: problem.line });
    } else {
      report(problem);
      if (ruleLine.test(lines[problem.line - 1] ?? '')) damaged.push(problem.line);
    }
  });
  const { cutLines } = cleaned;
  if (cutLines.length > 0) {
    const which = firstFew(cutLines, 5);
    notes.push(
      `${name}: ${cutLines.length === 1 ? `line ${which} is` : `lines ${which} are`} cut at the end and left out`,
    );
  }
  const isListed = !/^\*[a-z]+\s*$/m.test(cleaned.text);
  const hasNoTables = !/^\*[a-z]+\s*$/m.test(cleaned.text) && !/\s-t\s*[a-z]+/.test(cleaned.text);
  const damages = damagesByTable(
    dumps.flatMap(({ tables }) => tables),
    damaged,
  );
  const sets = dumps.map((dump): ToolRules => {
    // The legacy tools have nothing to warn about.
    const backend = dump.backend ?? (legacyWarnings.length > 0 ? 'nft' : backendHint(name));
    const guessed = guessFamily(dump.tables);
    const tables = new Map<string, TableDraft>();
    for (const table of dump.tables) {
      const isUnnamed = hasNoTables && table.chains.every(({ policy }) => policy === undefined);
      const parts = isUnnamed ? splitTable(table) : [table];
      for (const part of parts) addTable(tables, part, dump, name, { ...cleaned, isListed });
    }
    const unfinished = new Set(dump.tables.flatMap(({ name, isUnfinished }) => (isUnfinished ? name : [])));
    for (const table of tables.values()) {
      const lost = dump.tables.reduce((sum, one) => sum + (one.name === table.name ? (damages.get(one) ?? 0) : 0), 0);
      tables.set(table.name, withCut(table, unfinished.has(table.name), lost));
    }
    return {
      kind: 'iptables',
      family: guessed ?? hinted ?? dump.family,
      ...(backend && { backend }),
      tables,
      ...(cleaned.hasListing && { isLossy: true as const }),
      ...(cleaned.hidesInterfaces && { hidesInterfaces: true as const }),
      files: [name],
    };
  });
  return { sets, hiddenTables, legacyWarnings, notes };
}

const ruleLine = /^(?:\[\d+:\d+\] )?-[AI] /;

function addTable(
  tables: Map<string, TableDraft>,
  table: Table,
  dump: Ruleset,
  file: string,
  { hasGaps, isListed }: { readonly hasGaps: boolean; readonly isListed: boolean },
): void {
  const isShown = !hasGaps && table.chains.some(({ policy }) => policy !== undefined);
  // A save has all chains; `iptables -L FORWARD` has one of them.
  const isWhole = isShown && (!isListed || hasBuiltinChains(table));
  const hasWholeChains = isShown && !isWhole;
  const isWritten = !isWhole && !isListed && !hasGaps && !table.isUnfinished;
  const own: TableDraft = tables.get(table.name) ?? {
    name: table.name,
    isWhole,
    ...(hasWholeChains && { hasWholeChains }),
    ...(isWritten && { isWritten }),
    chains: new Map(),
  };
  tables.set(table.name, own);
  for (const declared of table.chains) {
    const chain = chainOf(own, declared.name, file);
    chain.isDeclared = true;
    chain.declaredAt ||= declared.line ?? 0;
    if (declared.policy !== undefined) chain.policy = declared.policy;
    const packets = packetsOf(declared.counters);
    if (declared.policy !== undefined && packets !== undefined) chain.policyPackets = packets;
  }
  for (const rule of table.rules) {
    const chain = chainOf(own, rule.chain, file);
    for (const one of expandAddresses(rule)) {
      addCountedLine(chain, printRule(one, 'save', dump.family), rule.line ?? 0, packetsOf(rule.counters));
    }
  }
}

/** The built-in chains at the beginning of a listing of a whole table. */
function hasBuiltinChains({ name, chains }: Table): boolean {
  const needed = name === 'nat' ? ['PREROUTING', 'OUTPUT', 'POSTROUTING'] : name === 'filter' ? filterChains : [];
  return needed.every((own) => chains.some((chain) => chain.name === own && chain.policy !== undefined));
}

const filterChains = ['INPUT', 'FORWARD', 'OUTPUT'];

/** Of `[packets:bytes]`. */
function packetsOf(counters: string | undefined): number | undefined {
  const packets = /^\[(\d+):/.exec(counters ?? '')?.[1];
  return packets === undefined ? undefined : Number(packets);
}

/** A repeated table, or one of the other family, begins another dump. */
function groups(tables: readonly TextTable[]): readonly (readonly TextTable[])[] {
  const dumps: TextTable[][] = [];
  let family: Family | undefined;
  for (const table of tables) {
    const last = dumps.at(-1);
    const own = familyOfTable(table) ?? (table.isIPv6Tool ? 'ipv6' : undefined);
    const differs = own !== undefined && family !== undefined && own !== family;
    const isOtherBackend =
      table.backend !== undefined && last?.some(({ backend }) => backend && backend !== table.backend);
    if (last === undefined || differs || isOtherBackend || last.some(({ name }) => name === table.name)) {
      dumps.push([table]);
      family = own;
    } else {
      last.push(table);
      family ??= own;
    }
  }
  return dumps;
}

function setOf(
  read: readonly TextTable[],
  backend: ToolRules['backend'],
  hinted: Family | undefined,
  { name: file, isExcerpt }: DumpFile,
  damaged: ReadonlyMap<TextTable, number>,
): ToolRules {
  const isIPv6Tool = firstOf(read.map((table) => table.isIPv6Tool));
  const tool = isIPv6Tool === undefined ? undefined : isIPv6Tool ? 'ipv6' : 'ipv4';
  const shown = firstOf(read.map((table) => familyOfTable(table, familyMarks.certain)));
  const translated = firstOf(read.map((table) => familyOfTable(table)));
  const family = shown ?? tool ?? hinted ?? translated ?? 'ipv4';
  const tables = new Map<string, RuleTable>();
  for (const one of read) {
    const { name, chains, isCommitted } = one;
    const isWhole = hasPolicy(chains);
    const isWritten = !isWhole && isCommitted && name !== undefined && !damaged.get(one);
    const table = { name: name ?? 'filter', isWhole, ...(isWritten && { isWritten }), chains };
    tables.set(table.name, withCut(table, !isCommitted, damaged.get(one) ?? 0, isExcerpt === true && name === 'nat'));
  }
  return { kind: 'iptables', family, ...(backend && { backend }), tables, files: [file] };
}

function hasPolicy(chains: ReadonlyMap<string, RuleChain>): boolean {
  return [...chains.values()].some(({ policy }) => policy !== undefined);
}

function firstOf<T>(values: readonly (T | undefined)[]): T | undefined {
  return values.find((value) => value !== undefined);
}

/** Decided by the first address, mask or kind of rejection in the table's lines. */
function familyOfTable(table: TextTable, mark = familyMarks.any): Family | undefined {
  for (const chain of table.chains.values()) {
    const found = mark.exec(chain.text);
    if (found !== null) return isSix(found[0], found[1]) ? 'ipv6' : 'ipv4';
  }
  return undefined;
}

/** A translation names a port behind the address: `10.0.0.9:80`. */
function isSix(mark: string, address: string | undefined): boolean {
  if (address === undefined) return /icmp6|ipv6-icmp|KUBE-6-/.test(mark);
  return address.includes(':') && !/^\d+\.\d+\./.test(address);
}

function familyHint(file: string): Family | undefined {
  return /(?:^|[^a-z0-9])(?:ip6tables|v6|ipv6|ip6)(?:[^a-z0-9]|$)/i.test(file) ? 'ipv6' : undefined;
}

/**
 * A header that names nft is right; one that does not may come from another program, so the file's name counts more.
 */
function backendOf(header: ToolRules['backend'], file: string): ToolRules['backend'] {
  return header === 'nft' ? header : (backendHint(file) ?? header);
}

function backendHint(file: string): ToolRules['backend'] {
  return /legacy/i.test(file) ? 'legacy' : /nft/i.test(file) ? 'nft' : undefined;
}

/** Appends a rule from another file of the same node to a chain; a repeated line is shown once. */
export function mergeChain(into: ChainDraft, from: RuleChain): void {
  const own = into.text === '' ? [] : into.text.split('\n');
  const known = new Set(own);
  into.files ??= own.map(() => into.file);
  into.isDeclared ||= from.isDeclared;
  if (from.policy !== undefined) into.policy ??= from.policy;
  if (from.policyPackets !== undefined) into.policyPackets ??= from.policyPackets;
  for (const [at, line] of linesOf(from).entries()) {
    if (known.has(line)) continue;
    addCountedLine(into, line, numberAt(from, at), from.packets?.[at]);
    into.files.push(from.file);
  }
}
