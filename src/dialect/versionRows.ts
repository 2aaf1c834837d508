import type { ProxyMode } from '../common/proxy/proxyMode.ts';
import type { DialectRow } from './dialectTable.ts';
import { modeTable } from './modeTable.ts';
import type { PlanDialect } from './plan/planDialect.ts';
import { planTable } from './plan/planTable.ts';
import { compareKubeVersions, type KubeVersion, parseKubeVersion } from './version.ts';

/** All that one version changed in a mode, in what is decided and in what is written. */
export interface VersionRow {
  readonly version: KubeVersion;
  readonly isBranch: boolean;
  readonly evidence: 'recorded' | 'described';
  readonly origin: string;
  readonly changes: Readonly<Record<string, unknown>>;
}

/** What each version changed in a mode, oldest first, from the first version whose output is known. */
export function versionRows(mode: ProxyMode): readonly VersionRow[] {
  const { rows: own, removedIn, planAxes } = modeTable(mode);
  const isOfMode = ({ modes, changes }: DialectRow<PlanDialect>) =>
    (modes === undefined || modes.includes(mode)) &&
    (planAxes === undefined || planAxes.some((axis) => axis in changes));
  const removed = parseKubeVersion(removedIn ?? '');
  const first = versionOf(own[0]);
  const rows = new Map<string, VersionRow>();
  for (const row of [...own, ...planTable.rows.filter(isOfMode)]) {
    const version = versionOf(row);
    if (compareKubeVersions(version, first) < 0) continue;
    if (removed !== undefined && compareKubeVersions(version, removed) >= 0) continue;
    const before = rows.get(row.version);
    rows.set(row.version, {
      version,
      isBranch: row.isBranch === true,
      evidence: before?.evidence === 'recorded' ? 'recorded' : row.evidence,
      origin: before === undefined ? row.origin : `${before.origin}; ${row.origin}`,
      changes: { ...before?.changes, ...(row.changes as Record<string, unknown>) },
    });
  }
  return [...rows.values()].sort((a, b) => compareKubeVersions(a.version, b.version));
}

function versionOf(row: DialectRow<unknown> | undefined): KubeVersion {
  return parseKubeVersion(row?.version ?? '') as KubeVersion;
}
