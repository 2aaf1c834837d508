/**
 * The columns of a help page: COLUMNS where it is set, as for GNU's programs and Python's, else those of the terminal,
 * else 80.
 */
export function helpWidth(columns: string | undefined, terminal: number | undefined): number {
  const asked = /^[1-9]\d{0,4}$/.test(columns ?? '') ? Number(columns) : undefined;
  return Math.max(narrowest, asked ?? terminal ?? 80);
}

/** Below that nothing can be laid out: the terminal breaks lines itself. */
const narrowest = 24;
