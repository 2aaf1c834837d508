import { othersText } from '../../model/othersText.ts';
import type { MatrixCell, PolicyMatrix } from '../policyMatrix.ts';

export type MatrixForm = 'text' | 'json' | 'markdown' | 'csv' | 'html';

/** A matrix as text: senders down, receivers across. */
export function matrixText(matrix: PolicyMatrix, form: MatrixForm): string {
  switch (form) {
    case 'text':
      return plainTable(matrix);
    case 'json':
      return `${JSON.stringify(jsonForm(matrix), null, 2)}\n`;
    case 'markdown':
      return markdownTable(matrix);
    case 'csv':
      return rowsOf(matrix)
        .map((row) => `${row.map(csvField).join(',')}\r\n`)
        .join('');
    case 'html':
      return htmlTable(matrix);
  }
}

const corner = 'from \\ to';

function rowsOf({ names, cells }: PolicyMatrix): readonly (readonly string[])[] {
  return [[corner, ...names], ...cells.map((row, at) => [names[at] ?? '', ...row.map(({ text }) => text)])];
}

function plainTable(matrix: PolicyMatrix): string {
  const rows = rowsOf(matrix);
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const first = othersText(matrix.others);
  return `${first === undefined ? '' : `${first}\n`}${matrix.title}\n\n${lines.join('\n')}\n`;
}

function jsonForm({ title, names, cells, others }: PolicyMatrix): unknown {
  const pairs = cells.flatMap((row, from) =>
    row.map(({ allowed, total, unknown, text }, to) => ({
      from: names[from],
      to: names[to],
      open: text,
      allowed,
      total,
      ...(unknown > 0 && { unknown }),
    })),
  );
  return {
    schema: 'k8snet.policy-matrix/v1',
    title,
    names,
    ...(others.length > 0 && { otherPolicies: others }),
    pairs,
  };
}

function markdownTable(matrix: PolicyMatrix): string {
  const [head = [], ...rows] = rowsOf(matrix).map((row) => row.map((text) => text.replace(/[\\|]/g, '\\$&')));
  const line = (row: readonly string[]) => `| ${row.join(' | ')} |\n`;
  const first = othersText(matrix.others);
  return (
    (first === undefined ? '' : `${first.replace(/[\\|]/g, '\\$&')}\n\n`) +
    line(head) +
    line(head.map(() => '---')) +
    rows.map(line).join('')
  );
}

/** RFC 4180; a field that a spreadsheet would take for a formula is text. */
function csvField(text: string): string {
  const safe = /^[=+@\t-]./.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function htmlTable({ title, names, cells, others }: PolicyMatrix): string {
  const first = othersText(others);
  const head = names.map((name) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const body = cells.map((row, at) => {
    const data = row.map((cell) => `<td class="${stateOf(cell)}">${escapeHtml(cell.text)}</td>`).join('');
    return `<tr><th scope="row">${escapeHtml(names[at] ?? '')}</th>${data}</tr>\n`;
  });
  return `<!doctype html>
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
${body.join('')}</table>
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
