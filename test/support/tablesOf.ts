/** An iptables-save text as table name to its lines; `#` lines and the order of tables mean nothing. */
export function tablesOf(save: string): ReadonlyMap<string, readonly string[]> {
  const tables = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of save.split('\n')) {
    if (line.startsWith('#') || line === '') continue;
    if (line.startsWith('*')) {
      lines = [];
      tables.set(line, lines);
    } else {
      lines.push(line);
    }
  }
  return tables;
}
