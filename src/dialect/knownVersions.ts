import { dialectTable } from './table.ts';
import { type KubeVersion, parseKubeVersion } from './version.ts';

/** Every version that can be told from others: each minor from the first to the newest, and late patch releases. */
export function knownVersions(): readonly KubeVersion[] {
  const rows = dialectTable.map((row) => parseKubeVersion(row.version) as KubeVersion);
  const newest = Math.max(...rows.map((version) => version.minor));
  const minors = Array.from({ length: newest }, (_, index): KubeVersion => ({ minor: index + 1, patch: undefined }));
  const patches = rows.filter((version) => version.patch !== undefined);
  return [...minors, ...patches].sort((a, b) => a.minor - b.minor || (a.patch ?? 0) - (b.patch ?? 0));
}
