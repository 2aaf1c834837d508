import assert from 'node:assert/strict';

/** How outcomes of routes and rules are compared: what a recording says, and what was printed. */
export const networkComparisons = {
  /** Lines below each heading, as a set. */
  routes: (recorded: string, stdout: string, ignored: readonly string[]) => {
    const ignoring = (text: string) =>
      ignored.includes('lladdr') ? text.replaceAll(/(?:lladdr )?[0-9a-f]{2}(?::[0-9a-f]{2}){5}/g, 'MAC') : text;
    assert.deepEqual(groupsOf(ignoring(stdout)), groupsOf(ignoring(recorded)));
  },
  /** The recorded rows are among those printed. */
  'route-n-subset': (recorded: string, stdout: string) => {
    const rows = new Set(linesOf(stdout));
    for (const row of linesOf(recorded)) assert.ok(rows.has(row), `no row ${row}`);
  },
  'routes-overlaps': (recorded: string, stdout: string) => {
    const overlapsOf = (text: string) => (JSON.parse(text).overlaps as unknown[]).map((one) => JSON.stringify(one));
    assert.deepEqual(overlapsOf(stdout).sort(), overlapsOf(recorded).sort());
  },
  /** Chains and their rules in order; comments, counters, built-in chains without rules and the order of chains are free. */
  rules: (recorded: string, stdout: string) => assert.deepEqual(tablesOf(stdout), tablesOf(recorded)),
} satisfies Record<string, (recorded: string, stdout: string, ignored: readonly string[]) => void>;

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
}

function groupsOf(text: string): Readonly<Record<string, readonly string[]>> {
  const groups: Record<string, string[]> = {};
  let current = '';
  for (const line of linesOf(text)) {
    if (line.startsWith('# ')) current = line;
    groups[current] ??= [];
    if (!line.startsWith('# ')) groups[current]?.push(line);
  }
  for (const lines of Object.values(groups)) lines.sort();
  return groups;
}

function tablesOf(text: string): unknown {
  const tables: Record<string, Record<string, string[]>> = {};
  let chains: Record<string, string[]> = {};
  for (const line of linesOf(text)) {
    if (line.startsWith('*')) {
      chains = {};
      tables[line] = chains;
    }
    if (line.startsWith(':')) chains[line.slice(1).split(' ')[0] ?? ''] ??= [];
    if (line.startsWith('-A')) {
      const chain = line.split(' ')[1] ?? '';
      chains[chain] ??= [];
      chains[chain].push(line.replaceAll(/--comment "([^" ]*)"/g, '--comment $1'));
    }
  }
  return tables;
}
