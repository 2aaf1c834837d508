import { baseDialect } from './baseDialect.ts';
import type { Dialect } from './dialect.ts';
import { dialectTable } from './table.ts';
import { type KubeVersion, parseKubeVersion } from './version.ts';

/**
 * Folds the rows up to a version into its dialect. A row of a patch release counts from that patch on; a branch row
 * only within its own minor version. A version without a patch number is the recorded build of that minor version.
 */
export function dialectOf(version: KubeVersion): Dialect {
  let dialect = baseDialect;
  for (const row of dialectTable) {
    const from = parseKubeVersion(row.version);
    if (from === undefined || !isReached(version, from, row.isBranch === true)) continue;
    dialect = { ...dialect, ...row.changes };
  }
  return dialect;
}

function isReached(version: KubeVersion, from: KubeVersion, isBranch: boolean): boolean {
  if (version.minor !== from.minor) return version.minor > from.minor && !isBranch;
  return (version.patch ?? 0) >= (from.patch ?? 0);
}
