import { typedCommand } from '../../../common/typedCommand.ts';
import type { ReportLine } from '../../lineProblem.ts';
import { builtinChains } from '../builtinChains.ts';
import { isOneWord } from '../print/quote.ts';
import { parseRule } from './parseRule.ts';
import {
  clearChains,
  closeTable,
  type OpenTable,
  openTable,
  type ReadTable,
  type TableReader,
  tableNamed,
  tableOf,
} from './tableReader.ts';

/**
 * Reads the tables of iptables-save, iptables-restore and `iptables -S` texts, also as people paste them: with prompts,
 * Windows line ends, lines wrapped by a backslash, or several dumps in a row. A table holds what the kernel holds after
 * the text was loaded: `-I` puts a rule in its place, `-F` and `-X` empty and remove chains. Every line that cannot be
 * read is reported.
 */
export function readTables(text: string, report: ReportLine): readonly ReadTable[] {
  const reader: TableReader = { tables: [], report };
  let line = 0;
  for (let at = 0; at < text.length; ) {
    line += 1;
    const first = line;
    let end = lineEnd(text, at);
    let content = trimmed(text, at, end);
    at = end + 1;
    if (content.endsWith(' \\')) {
      const parts: string[] = [];
      while (content.endsWith(' \\') && at < text.length) {
        parts.push(content.slice(0, -1));
        end = lineEnd(text, at);
        content = trimmed(text, at, end);
        at = end + 1;
        line += 1;
      }
      content = [...parts, content].join('');
    }
    readLine(reader, content, first);
  }
  closeTable(reader);
  return reader.tables;
}

function readLine(reader: TableReader, line: string, number: number): void {
  switch (line.charCodeAt(0)) {
    case 0x2d:
      readCommand(reader, line, number);
      return;
    case 0x3a:
      addChain(reader, line.slice(1), line, number);
      return;
    case 0x2a:
      readTableLine(reader, line, number);
      return;
    case 0x23:
      readComment(reader, line, number);
      return;
    default:
      if (line === 'COMMIT') {
        if (reader.open) reader.open.isUnfinished = false;
        closeTable(reader);
      } else if (countedRule.test(line)) {
        addRule(reader, line, number);
      } else if (line !== '') {
        readForeignLine(reader, line, number);
      }
  }
}

function readTableLine(reader: TableReader, line: string, number: number): void {
  closeTable(reader);
  const name = line.slice(1).trim();
  if (tablePattern.test(name)) {
    openTable(reader, name).isUnfinished = true;
  } else {
    problem(reader, number, line, 'not a table line (*NAME)');
  }
}

function readCommand(reader: TableReader, line: string, number: number): void {
  switch (line.slice(0, line.indexOf(' ') === -1 ? line.length : line.indexOf(' '))) {
    case '--':
      // grep -A writes it between groups.
      return;
    case '---':
      // Between two sides of diff, or around a heading.
      beginPart(reader);
      return;
    case '-N':
    case '-P':
      addChain(reader, line.slice(3).replace(/ -c (\d+) (\d+)$/, ' [$1:$2]'), line, number);
      return;
    case '-F':
    case '-X':
      clearChains(tableOf(reader), line.slice(3).trim(), line.startsWith('-X'));
      return;
    case '-D':
    case '-R':
    case '-E':
    case '-Z':
      problem(reader, number, line, 'a change of a rule set that is not in this text');
      return;
    default:
      addRule(reader, line, number);
  }
}

function addRule(reader: TableReader, line: string, number: number): void {
  const parsed = parseRule(line, number);
  if (parsed.kind === 'problem') {
    reader.report({ line: number, column: parsed.column, word: parsed.word, message: parsed.message });
    return;
  }
  leavePromptTable(reader, parsed.rule.chain);
  const table = parsed.table === undefined ? tableOf(reader) : tableNamed(reader, parsed.table);
  if (parsed.position !== undefined) {
    table.positions.set(table.rules.length, parsed.position);
  }
  table.rules.push(parsed.rule);
}

function addChain(reader: TableReader, text: string, line: string, number: number): void {
  const [name, policy, counters, ...rest] = text.split(' ');
  const isReadable =
    name !== undefined &&
    isOneWord(name) &&
    policyPattern.test(policy ?? '-') &&
    countersPattern.test(counters ?? '[0:0]');
  if (!isReadable || rest.length > 0) {
    problem(reader, number, line, 'not a chain line (:NAME POLICY [packets:bytes])');
    return;
  }
  const isBuiltin = policy !== undefined && policy !== '-';
  leavePromptTable(reader, name);
  if (isBuiltin && reader.open !== undefined && beginsAnother(reader.open, name)) closeTable(reader);
  const table = tableOf(reader);
  table.removed.delete(name);
  table.chains.push({
    name,
    ...(isBuiltin && { policy }),
    ...(counters !== undefined && { counters }),
    line: number,
  });
}

/** A chain that the table of the last prompt cannot have: what follows was printed by another command. */
function leavePromptTable(reader: TableReader, chain: string): void {
  const { open, promptTable } = reader;
  if (promptTable === undefined || (open !== undefined && open.name !== promptTable)) return;
  if (!hookOrder.includes(chain) || builtinChains(promptTable).includes(chain)) return;
  closeTable(reader);
  reader.promptTable = undefined;
}

/**
 * Several tables in a row without a line between them, as of `iptables -S` called for each: built-in chains stand first,
 * in the order of their hooks.
 */
function beginsAnother({ name: table, chains }: OpenTable, name: string): boolean {
  if (table !== undefined) return false;
  const last = chains.at(-1);
  return last !== undefined && (last.policy === undefined || hookOrder.indexOf(last.name) >= hookOrder.indexOf(name));
}

/** The table mangle has a chain at every hook. */
const hookOrder = builtinChains('mangle');

function readComment(reader: TableReader, line: string, number: number): void {
  if (line.startsWith('# Table ') || line.startsWith('# Warning')) {
    problem(reader, number, line, 'the tool says that rules are missing here');
  } else if (generatedBy.test(line)) {
    reader.family = line.includes(' ip6tables') ? 'ipv6' : 'ipv4';
    reader.backend = backendIn(line) ?? reader.backend;
  } else if (!readPrompt(reader, line) && isHeading(line)) {
    beginPart(reader);
  }
}

function readForeignLine(reader: TableReader, line: string, number: number): void {
  if (!readPrompt(reader, line)) {
    if (isHeading(line)) beginPart(reader);
    problem(reader, number, line, 'not a line of a rule set');
  }
}

/** Rules outside of tables that come again are shown again; they are not there twice. */
function beginPart(reader: TableReader): void {
  if (reader.open?.name === undefined) closeTable(reader);
}

/** A command with the prompt before it; those of iptables tell family and table of what follows. */
function readPrompt(reader: TableReader, line: string): boolean {
  const command = typedCommand(line);
  if (command === undefined) return false;
  const tool = /(?:^|\s)(ip6?tables)/.exec(command)?.[1];
  if (tool !== undefined) {
    closeTable(reader);
    reader.family = tool === 'ip6tables' ? 'ipv6' : 'ipv4';
    reader.backend = backendIn(command);
    const isDefault = /\s(?:-[vnx]*[LS]|--list)/.test(command) && !/\s-t|\s--table/.test(command);
    reader.promptTable =
      /\s(?:-[a-zA-Z]*t\s*|--table[ =])(nat|filter|mangle|raw|security)\b/.exec(command)?.[1] ??
      (isDefault ? 'filter' : undefined);
  }
  return true;
}

/** `iptables-nft-save`, `xtables-save` of 1.8.0 to 1.8.2, a header that says `(nf_tables)`; `iptables-legacy-save`. */
function backendIn(text: string): 'legacy' | 'nft' | undefined {
  if (/tables-legacy|xtables-legacy/.test(text)) return 'legacy';
  return /tables-nft|xtables-nft|xtables-save|\(nf_tables\)/.test(text) ? 'nft' : undefined;
}

function problem(reader: TableReader, line: number, text: string, message: string): void {
  reader.report({ line, column: 1, word: text, message });
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

/** The line without blanks around it, the carriage return of Windows and a byte-order mark included. */
function trimmed(text: string, from: number, to: number): string {
  const first = text.charCodeAt(from);
  const last = text.charCodeAt(to - 1);
  const line = text.slice(from, to);
  return last <= 0x20 || first <= 0x20 || first === 0xfeff ? line.trim() : line;
}

const tablePattern = /^[A-Za-z0-9_-]+$/;
const policyPattern = /^[A-Za-z]+$|^-$/;
const countersPattern = /^\[\d+:\d+\]$/;
const countedRule = /^\[\d+:\d+\] -/;
const generatedBy = /^# Generated by (?:ip6?|x)tables/;

/**
 * What somebody wrote over the rules of one node or one time: `node1:`, `=== node2`, `worker | CHANGED | rc=0 >>`. Who names
 * a chain talks about the rules around it.
 */
function isHeading(line: string): boolean {
  return line.length < longestHeading && headings.test(line) && !/\bKUBE-/.test(line);
}

const longestHeading = 100;
const headings =
  /^(?:={2,}|#{1,6} |\*{2,}|-{3,} ?).*\w|^==> .* <==$|^\[\d+\] .*\[(?:SUCCESS|FAILURE)\]|\| (?:CHANGED|SUCCESS|FAILED) \||^[\w.@-]{1,63}:$|\b(?:before|after|node|worker|master|host)\b.*:$/i;
