import type { Histogram } from '../countTraces.ts';

/** Where the connections went, with a bar for each. */
export function histogramText({ count, rows }: Histogram): string {
  const width = Math.max(...rows.map(({ to }) => to.length));
  const most = Math.max(...rows.map((row) => row.count));
  const digits = String(most).length;
  return rows
    .map((row) => {
      const share = ((row.count / count) * 100).toFixed(1).padStart(5);
      const bar = '#'.repeat(Math.max(1, Math.round((row.count / most) * longestBar)));
      return `${row.to.padEnd(width)}  ${String(row.count).padStart(digits)}  ${share} %  ${bar}\n`;
    })
    .join('');
}

const longestBar = 40;
