/**
 * The columns of a help page: COLUMNS if it is set, as for GNU's programs and Python's, otherwise those of the
 * terminal, otherwise 80.
 */
export function helpWidth(columns: string | undefined, terminal: number | undefined): number {
  const asked = /^[1-9]\d{0,4}$/.test(columns ?? '') ? Number(columns) : undefined;
  return Math.max(narrowest, asked ?? terminal ?? 80);
}

/** Below that nothing can be laid out: the terminal breaks lines itself. */
const narrowest = 24;
