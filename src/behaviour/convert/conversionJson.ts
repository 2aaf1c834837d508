import { lateJson } from '../behaviourJson.ts';
import type { ChangeGroup } from '../migrate/changeGroups.ts';
import type { ConversionCheck } from './checkConversion.ts';
import { isPassed } from './isPassed.ts';

/** The check of a conversion as data: `limit` is the number of findings of each kind that are written. */
export function conversionJson(check: ConversionCheck, limit: number): object {
  const { comparison, known, besideOthers, unexplained } = check;
  const { families, skipped, destinations, classes, findings, open, unknown, assumed } = comparison;
  const groups = (own: readonly ChangeGroup[]) => own.map((group) => groupJson(group, limit));
  return {
    isPassed: isPassed(check),
    verdict: findings.length > 0 ? 'different' : open.length > 0 ? 'unknown' : 'same',
    summary: { families, skipped, destinations, classes, different: findings.length, unknown: open.length },
    unexplained: groups(unexplained),
    besideOthers: groups(besideOthers),
    known: groups(known),
    unexplainedUnknown: check.open.slice(0, limit).map(lateJson),
    cannotTell: open.slice(0, limit).map(lateJson),
    unknown,
    assumed,
  };
}

function groupJson({ findings, kind, advice, ...group }: ChangeGroup, limit: number): object {
  return {
    kind: kind ?? null,
    ...group,
    advice: advice ?? null,
    count: findings.length,
    findings: findings.slice(0, limit).map(lateJson),
  };
}
