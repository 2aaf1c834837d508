import type { Report } from '../../../diagnostics/diagnostic.ts';
import { answeredValue } from '../answeredValue.ts';
import { type AskedOfKubectl, askedOfKubectl } from '../askedOfKubectl.ts';
import { columnsOfRow } from '../columnsOfRow.ts';
import { hasDescriptions, isDescription } from '../described/readDescription.ts';
import { kindOfTable, type ShownKind, type TableRow } from '../tableObject.ts';
import { type ShownObjects, type ShownProblem, shownCollection } from './shownCollection.ts';

/** Whether a text is what `kubectl get` or `kubectl describe` prints: no YAML of Kubernetes begins like that. */
export function looksLikeTable(text: string): boolean {
  let asked: AskedOfKubectl | undefined;
  for (const { line } of linesOf(text)) {
    if (isTalk(line)) continue;
    const typed = askedOfKubectl(line);
    if (typed !== undefined) asked = typed === 'another command' ? undefined : typed;
    else if (asked !== undefined && answeredValue(asked, line) !== undefined) return true;
    else return isHeader(line) || isRow(line) || (isDescription(line) && hasDescriptions(text));
  }
  return false;
}

/** Reads tables and descriptions of Services, Endpoints, Pods and Nodes, and descriptions of EndpointSlices. */
export function readShownObjects(text: string): ShownObjects {
  const reader = shownReader(hasDescriptions(text));
  for (const { line, offset } of linesOf(text)) reader.line(line, offset);
  return reader.end();
}

interface ShownReader {
  readonly line: (line: string, offset: number) => void;
  readonly end: () => ShownObjects;
}

function shownReader(isDescribed: boolean): ShownReader {
  const found = shownCollection();
  let header: Header | undefined;
  let description: { readonly lines: string[]; readonly offset: number } | undefined;
  let asked: ReturnType<typeof askedOfKubectl>;
  const namespace = (): string | undefined => (typeof asked === 'object' ? asked.namespace : undefined);
  const endDescription = (): void => {
    if (description !== undefined) found.addDescription(description.lines, description.offset);
    description = undefined;
  };
  const loose = (line: string, offset: number): void => {
    const cells = cellsOf(line).map(({ text }) => text);
    const columns = columnsOfRow(cells);
    const value = typeof asked === 'object' ? answeredValue(asked, line) : undefined;
    if (columns !== undefined)
      found.addRow(
        columns.kind,
        new Map(columns.names.map((name, at) => [name, cells[at] ?? ''])),
        namespace(),
        offset,
      );
    else if (value !== undefined) found.addAnswer(value, offset);
    else if (asked !== 'another command') found.unread('this line belongs to no table', offset);
  };
  return {
    line: (line, offset) => {
      const typed = askedOfKubectl(line);
      if (typed !== undefined) {
        endDescription();
        [asked, header] = [typed, undefined];
      } else if (isHeader(line)) {
        endDescription();
        header = readHeader(line);
        if (header.kind === undefined)
          found.problem(header.names.includes('POD-SELECTOR') ? { ...policyTable, offset } : skipped(header, offset));
      } else if (isDescribed && isDescription(line)) {
        endDescription();
        [header, description] = [undefined, { lines: [line], offset }];
      } else if (description !== undefined) {
        description.lines.push(line);
      } else if (!isTalk(line)) {
        if (header === undefined) loose(line, offset);
        else if (header.kind !== undefined) found.addRow(header.kind, readRow(header, line), namespace(), offset);
      }
    },
    end: () => {
      endDescription();
      return found.shown();
    },
  };
}

/** Nothing, a remark of a person, or a word of kubectl about what it did. */
function isTalk(line: string): boolean {
  return (
    line.trim() === '' ||
    (/^#/.test(line) && typeof askedOfKubectl(line) !== 'object') ||
    /^[a-z][\w.]*[ /]"?[\w.-]+"? (?:created|deleted|configured|unchanged|patched|scaled|edited|exposed|labeled|annotated)\b/.test(
      line,
    )
  );
}

/** Of a table without its header. */
function isRow(line: string): boolean {
  return line.length < 5000 && columnsOfRow(cellsOf(line).map(({ text }) => text)) !== undefined;
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
  const message = names.includes('ADDRESSTYPE')
    ? 'a table of EndpointSlices is skipped: it shows neither their Services nor who is ready (a table of Endpoints does, and so does -o yaml)'
    : names.join() === 'NAME,STATUS,AGE'
      ? 'a table with NAME, STATUS, AGE is skipped; one of Namespaces is read if it shows their labels (--show-labels)'
      : `a table with ${names.join(', ')} is skipped`;
  return { code: 'table-unread', message, offset };
}

interface Header {
  readonly names: readonly string[];
  readonly starts: readonly number[];
  readonly kind: ShownKind | undefined;
}

function isHeader(line: string): boolean {
  return (
    /^(?:NAMESPACE[ \t]{2,}|LAST SEEN[ \t]{2,})?NAME(?:[ \t]{2,}|\t)[A-Z]/.test(line) ||
    (/^(?:NAMESPACE )?NAME [A-Z]/.test(line) && readHeader(line).kind !== undefined)
  );
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

/**
 * kubectl puts three blanks between columns, and one inside a cell. A chat or a web page may leave one everywhere: then
 * each word is a cell, but for those that are known to have several.
 */
function cellsOf(line: string): Cell[] {
  const cell = / {2}|\t/.test(line) ? /[^ \t]+(?: [^ \t]+)*/g : tightCell;
  return Array.from(line.matchAll(cell), ({ 0: text, index: start }) => ({ text, start }));
}

/** Of Pods `4 (2d ago)`, of Endpoints `… + 2 more...`, and the names of columns that have two words. */
const tightCell = /\d+ \([^()]* ago\)|[^ ]+ \+ \d+ more\.\.\.|LAST SEEN|NOMINATED NODE|READINESS GATES|[^ ]+/g;

function* linesOf(text: string): Generator<{ readonly line: string; readonly offset: number }> {
  for (let offset = 0; offset < text.length; ) {
    const newline = text.indexOf('\n', offset);
    const end = newline === -1 ? text.length : newline;
    yield { line: text.slice(offset, end).trimEnd(), offset };
    offset = end + 1;
  }
}
