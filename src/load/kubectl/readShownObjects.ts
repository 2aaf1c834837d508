import type { Report } from '../../diagnostics/diagnostic.ts';
import type { ReadDocument } from '../json/readJson.ts';
import { hasDescriptions, isDescription, readDescription } from './readDescription.ts';
import { hiddenByTables, kindOfTable, type ShownKind, type TableRow, tableObject } from './tableObject.ts';

/** An object that a table or description shows, and where it begins. */
export interface ShownObject extends ReadDocument {
  readonly start: number;
  /** How much it shows: 0 a line of a table that leaves some out, 1 a line of a table, 2 what is said of it beside another, 3 its own description. */
  readonly detail: number;
}

/** What a text shows, and what is wrong with it. */
export interface ShownObjects {
  readonly objects: readonly ShownObject[];
  /** What each kind that occurs does not show, in sentences' parts. */
  readonly hidden: ReadonlySet<string>;
  readonly problems: readonly ShownProblem[];
}

export interface ShownProblem {
  readonly code: 'table-cut' | 'table-unread';
  readonly message: string;
  readonly offset: number;
  /** What to give instead: without it the table is an error. */
  readonly hint?: string;
}

/** Whether a text is what `kubectl get` or `kubectl describe` prints: no YAML of Kubernetes begins like that. */
export function looksLikeTable(text: string): boolean {
  for (const { line } of linesOf(text)) {
    if (line.trim() === '' || isPrompt(line)) continue;
    return isHeader(line) || (isDescription(line) && hasDescriptions(text));
  }
  return false;
}

/** Reads tables and descriptions of Services, Endpoints, Pods and Nodes, and descriptions of EndpointSlices. */
export function readShownObjects(text: string): ShownObjects {
  const objects: ShownObject[] = [];
  const problems: ShownProblem[] = [];
  const hidden = new Set<string>();
  const add = (offset: number, value: unknown, detail: number): void => {
    objects.push({ document: objects.length, value, start: offset, detail });
  };
  const remark = (offset: number, cuts: readonly string[], hides: string | undefined): void => {
    if (hides !== undefined) hidden.add(hides);
    for (const message of cuts) problems.push({ code: 'table-cut', message, offset });
  };
  let header: Header | undefined;
  let description: string[] | undefined;
  let describedAt = 0;
  const isDescribed = hasDescriptions(text);
  const endDescription = (): void => {
    if (description === undefined) return;
    const described = readDescription(description);
    for (const { value, isWhole } of described?.values ?? []) add(describedAt, value, isWhole ? 3 : 2);
    if (described !== undefined) remark(describedAt, described.cuts, described.hides);
    description = undefined;
  };
  for (const { line, offset } of linesOf(text)) {
    if (isPrompt(line)) continue;
    if (isHeader(line)) {
      endDescription();
      header = readHeader(line);
      if (header.kind === undefined) {
        problems.push(header.names.includes('POD-SELECTOR') ? { ...policyTable, offset } : skipped(header, offset));
      }
    } else if (isDescribed && isDescription(line)) {
      endDescription();
      [header, description, describedAt] = [undefined, [line], offset];
    } else if (description !== undefined) {
      description.push(line);
    } else if (line.trim() !== '' && header?.kind !== undefined) {
      const row = readRow(header, line);
      const shown = row === undefined ? undefined : tableObject(header.kind, row);
      if (shown === undefined) {
        problems.push({ code: 'table-unread', message: 'this line does not fit the columns above it', offset });
      } else {
        add(offset, shown.value, shown.isCut ? 0 : 1);
        remark(offset, shown.cuts, hiddenByTables[header.kind]);
      }
    } else if (line.trim() !== '' && header === undefined) {
      problems.push({ code: 'table-unread', message: 'this line belongs to no table', offset });
    }
  }
  endDescription();
  return { objects, hidden, problems };
}

/** Reports what a text of tables does not show, and what of it could not be read. */
export function reportTables(file: string, { objects, hidden, problems }: ShownObjects, report: Report): void {
  const at = (offset: number) => [{ file, document: 0, path: [], offset }];
  for (const { code, message, offset, hint } of problems)
    report({
      code,
      severity: hint === undefined ? 'warning' : 'error',
      message,
      at: at(offset),
      ...(hint && { hint }),
    });
  if (objects.length === 0) return;
  report({
    code: 'read-from-table',
    severity: 'note',
    message: `read from what kubectl prints${hidden.size === 0 ? '' : `, which does not show ${[...hidden].join('; ')}`}`,
    at: at(objects[0]?.start ?? 0),
    hint: 'what is not shown stays unset; for all of it: kubectl get services,endpointslices,pods,nodes -A -o yaml',
  });
}

/** Without their rules policies would be taken for none. */
const policyTable = {
  code: 'table-unread',
  message: 'a table of NetworkPolicies shows none of their rules',
  hint: 'give what `kubectl get networkpolicies -A -o yaml` prints',
} as const;

function skipped({ names }: Header, offset: number): ShownProblem {
  return { code: 'table-unread', message: `a table with ${names.join(', ')} is skipped`, offset };
}

interface Header {
  readonly names: readonly string[];
  readonly starts: readonly number[];
  readonly kind: ShownKind | undefined;
}

function isHeader(line: string): boolean {
  return /^(?:NAMESPACE[ \t]{2,}|LAST SEEN[ \t]{2,})?NAME(?:[ \t]{2,}|\t)[A-Z]/.test(line);
}

/** A shell's line that was copied with what it printed. */
function isPrompt(line: string): boolean {
  return line.length < 1000 && /^\S[^|]{0,200}?[$#>] ?kubectl |^[$#>] ?kubectl |^kubectl (?:get|describe) /.test(line);
}

function readHeader(line: string): Header {
  const cells = cellsOf(line);
  const names = cells.map(({ text }) => text.replaceAll('_', '-'));
  return { names, starts: cells.map(({ start }) => start), kind: kindOfTable(names) };
}

/** Undefined: a cell belongs to no column. */
function readRow(header: Header, line: string): TableRow | undefined {
  const cells = cellsOf(line);
  const row = new Map<string, string>();
  for (const [index, { text, start }] of cells.entries()) {
    // With a cell for each column they belong together in order; with fewer, where they stand decides.
    const column = cells.length === header.names.length || line.includes('\t') ? index : header.starts.indexOf(start);
    const name = header.names[column];
    if (name === undefined) return undefined;
    row.set(name, text);
  }
  return row;
}

interface Cell {
  readonly text: string;
  readonly start: number;
}

/** kubectl puts three blanks between columns, and one inside a cell. */
function cellsOf(line: string): Cell[] {
  const cells: Cell[] = [];
  for (const found of line.matchAll(/[^ \t]+(?: [^ \t]+)*/g)) cells.push({ text: found[0], start: found.index });
  return cells;
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly offset: number }> {
  for (let offset = 0; offset < text.length; ) {
    const newline = text.indexOf('\n', offset);
    const end = newline === -1 ? text.length : newline;
    yield { line: text.slice(offset, end).trimEnd(), offset };
    offset = end + 1;
  }
}
