import { jsonText } from '../../common/text/jsonText.ts';
import { othersText } from '../../model/othersText.ts';
import type { MatrixCell, PolicyMatrix } from '../policyMatrix.ts';

export type MatrixForm = 'text' | 'json' | 'markdown' | 'csv' | 'html';

/** A matrix as text in pieces, senders down, receivers across: that of thousands of Pods is longer than a string may be. */
export function matrixText(matrix: PolicyMatrix, form: MatrixForm): Iterable<string> {
  switch (form) {
    case 'text':
      return plainTable(matrix);
    case 'json':
      return jsonText(jsonForm(matrix));
    case 'markdown':
      return markdownTable(matrix);
    case 'csv':
      return csvTable(matrix);
    case 'html':
      return htmlTable(matrix);
  }
}

const corner = 'from \\ to';

/** First the names across. */
function* rowsOf({ names, cells }: PolicyMatrix): Generator<readonly string[]> {
  yield [corner, ...names];
  for (const [at, row] of cells.entries()) yield [names[at] ?? '', ...row.map(({ text }) => text)];
}

function* plainTable(matrix: PolicyMatrix): Generator<string> {
  const widths: number[] = [];
  for (const row of rowsOf(matrix)) {
    for (const [column, { length }] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, length);
  }
  const first = othersText(matrix.others);
  yield `${first === undefined ? '' : `${first}\n`}${matrix.title}\n\n`;
  for (const row of rowsOf(matrix)) {
    const line = row.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ');
    yield `${line.trimEnd()}\n`;
  }
}

function jsonForm({ title, names, cells, others }: PolicyMatrix): object {
  return {
    schema: 'k8snet.policy-matrix/v1',
    title,
    names,
    ...(others.length > 0 && { otherPolicies: others }),
    pairs: pairsOf(names, cells),
  };
}

/** Each is made when it is written. */
function* pairsOf(names: PolicyMatrix['names'], cells: PolicyMatrix['cells']): Generator<object> {
  for (const [from, row] of cells.entries()) {
    for (const [to, { allowed, total, unknown, text }] of row.entries()) {
      const doubt = unknown > 0 && { unknown };
      yield { from: names[from], to: names[to], open: text, allowed, total, ...doubt };
    }
  }
}

function* markdownTable(matrix: PolicyMatrix): Generator<string> {
  const first = othersText(matrix.others);
  if (first !== undefined) yield `${first.replace(/[\\|]/g, '\\$&')}\n\n`;
  let isHead = true;
  for (const row of rowsOf(matrix)) {
    yield `| ${row.map((text) => text.replace(/[\\|]/g, '\\$&')).join(' | ')} |\n`;
    if (isHead) yield `| ${row.map(() => '---').join(' | ')} |\n`;
    isHead = false;
  }
}

function* csvTable(matrix: PolicyMatrix): Generator<string> {
  for (const row of rowsOf(matrix)) yield `${row.map(csvField).join(',')}\r\n`;
}

/** RFC 4180; a field that a spreadsheet would take for a formula is text. */
function csvField(text: string): string {
  const safe = /^[=+@\t-]./.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function* htmlTable({ title, names, cells, others }: PolicyMatrix): Generator<string> {
  const first = othersText(others);
  const head = names.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>
body { font: 14px sans-serif; }
table { border-collapse: collapse; }
th, td { border: 1px solid #999; padding: 4px 8px; text-align: left; }
.all { background: #cfc; }
.none { background: #fcc; }
.some { background: #ffc; }
.unknown { background: #ddd; }
</style>
</head>
<body>
${first === undefined ? '' : `<p>${escapeHtml(first)}</p>\n`}<table>
<caption>${escapeHtml(title)}</caption>
<tr><th>${escapeHtml(corner)}</th>${head}</tr>
`;
  for (const [at, row] of cells.entries()) {
    const data = row.map((cell) => `<td class="${stateOf(cell)}">${escapeHtml(cell.text)}</td>`).join('');
    yield `<tr><th scope="row">${escapeHtml(names[at] ?? '')}</th>${data}</tr>\n`;
  }
  yield `</table>
</body>
</html>
`;
}

function stateOf({ text, unknown }: MatrixCell): 'all' | 'none' | 'some' | 'nobody' | 'unknown' {
  if (text === '-') return 'nobody';
  if (unknown > 0) return 'unknown';
  return text === 'all' || text === 'none' ? text : 'some';
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
