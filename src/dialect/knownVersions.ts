import type { ProxyMode } from '../common/proxyMode.ts';
import { compareKubeVersions, type KubeVersion } from './version.ts';
import { versionRows } from './versionRows.ts';

/** Every version of a mode that can be told from others: each minor from the first to the newest, and late patch releases. */
export function knownVersions(mode: ProxyMode): readonly KubeVersion[] {
  const rows = versionRows(mode).map(({ version }) => version);
  const first = rows[0]?.minor ?? 0;
  const newest = rows.at(-1)?.minor ?? 0;
  const minors = Array.from(
    { length: newest - first + 1 },
    (_, index): KubeVersion => ({
      minor: first + index,
      patch: undefined,
    }),
  );
  const patches = rows.filter((version) => version.patch !== undefined);
  return [...minors, ...patches].sort(compareKubeVersions);
}
