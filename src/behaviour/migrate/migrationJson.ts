import { formatKubeVersion } from '../../dialect/version.ts';
import { lateJson } from '../behaviourJson.ts';
import type { Migration } from './migration.ts';
import type { ProxyKind } from './proxyKind.ts';

/** A migration as k8snet.migration/v1: all of its differences. */
export function migrationJson(migration: Migration, limit: number): object {
  const { from, to, node, services, groups, comparison, needs, dependents, steps, back } = migration;
  const { families, skipped, destinations, classes, findings, open, unknown, assumed } = comparison;
  return {
    schema: 'k8snet.migration/v1',
    from: kindJson(from),
    to: kindJson(to),
    node,
    verdict: findings.length > 0 ? 'different' : open.length > 0 ? 'unknown' : 'same',
    summary: { services, families, skipped, destinations, classes, different: findings.length, unknown: open.length },
    changes: groups.map(({ findings: own, kind, advice, ...group }) => ({
      kind: kind ?? null,
      ...group,
      advice: advice ?? null,
      count: own.length,
      findings: own.slice(0, limit).map(lateJson),
    })),
    cannotTell: open.slice(0, limit).map(lateJson),
    needs,
    dependents: dependents ?? null,
    steps,
    back,
    unknown,
    assumed,
  };
}

function kindJson({ mode, version }: ProxyKind): object {
  return { mode, version: formatKubeVersion(version) };
}
