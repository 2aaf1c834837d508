import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import { modeTable } from './modeTable.ts';
import { compareKubeVersions, type KubeVersion } from './version.ts';
import { versionRows } from './versionRows.ts';

/**
 * Every version of a mode that differs from others: each minor version from the first to the newest, and the patch
 * releases between which something changed. If a bare minor version means its newest patch, its first one is known as
 * `1.33.0`.
 */
export function knownVersions(mode: ProxyMode): readonly KubeVersion[] {
  const rows = versionRows(mode).map(({ version }) => version);
  const first = rows[0]?.minor ?? 0;
  const newest = rows.at(-1)?.minor ?? 0;
  const isNewestPatch = modeTable(mode).bareMinor === 'newestPatch';
  const known: KubeVersion[] = [];
  for (let minor = first; minor <= newest; minor++) {
    const patches = new Set(rows.filter((row) => row.minor === minor).flatMap(({ patch }) => patch ?? []));
    const changes = [...patches].sort((a, b) => a - b);
    const others = !isNewestPatch ? changes : changes.length === 0 ? [] : [0, ...changes.slice(0, -1)];
    for (const patch of others) known.push({ minor, patch });
    known.push({ minor, patch: undefined });
  }
  return known.sort(compareKubeVersions);
}
