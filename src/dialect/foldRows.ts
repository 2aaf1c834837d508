import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { DialectRow, DialectTable } from './dialectTable.ts';
import { type KubeVersion, parseKubeVersion } from './version.ts';

/**
 * Folds the rows of a table up to a version into its values. A row of a patch release counts from that patch on; a
 * branch row only within its own minor version.
 */
export function foldRows<T>(table: DialectTable<T>, version: KubeVersion, mode: ProxyMode): T {
  const patch = version.patch ?? (table.bareMinor === 'newestPatch' ? Number.POSITIVE_INFINITY : 0);
  const values = { ...table.base };
  for (const row of table.rows) {
    if (row.modes !== undefined && !row.modes.includes(mode)) continue;
    if (isReached(row, version.minor, patch)) Object.assign(values as object, row.changes);
  }
  return values;
}

function isReached(row: DialectRow<unknown>, minor: number, patch: number): boolean {
  const from = parseKubeVersion(row.version);
  if (from === undefined) return false;
  if (minor !== from.minor) return minor > from.minor && row.isBranch !== true;
  return patch >= (from.patch ?? 0);
}
