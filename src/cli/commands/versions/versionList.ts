import type { ProxyMode } from '../../../common/proxy/proxyMode.ts';
import { formatKubeVersion } from '../../../dialect/version.ts';
import { type VersionRow, versionRows } from '../../../dialect/versionRows.ts';

/** What `k8snet versions` prints: each version that changed something, by mode, and how we know. */
export function versionList(modes: readonly ProxyMode[], output: 'text' | 'json'): string {
  if (output === 'text') return modes.map((mode) => table(mode, versionRows(mode))).join('\n');
  const versions = modes.flatMap((mode) =>
    versionRows(mode).map((row) => ({ mode, ...row, version: formatKubeVersion(row.version) })),
  );
  return `${JSON.stringify({ schema: 'k8snet.versions/v1', versions }, null, 2)}\n`;
}

function table(mode: ProxyMode, rows: readonly VersionRow[]): string {
  const lines = rows.map((row) => `${formatKubeVersion(row.version).padEnd(8)}${row.evidence.padEnd(11)}${row.origin}`);
  return `${'since'.padEnd(8)}${'evidence'.padEnd(11)}what changed in ${mode} mode\n${lines.join('\n')}\n`;
}
