import type { Report } from '../../../diagnostics/diagnostic.ts';
import type { SourceObject } from '../../sourceObject.ts';
import { completedView } from '../completedView.ts';
import { labelledByWorkload } from '../labelledByWorkload.ts';
import { shownDifferences } from './shownDifferences.ts';

/**
 * Makes one object of its views: kubectl shows it in several tables and descriptions, and a file may hold it whole.
 * What shows more wins, and takes over what only the others show; where a file and the cluster say different things, the
 * file counts and the difference is reported. Of two that show as much, one that says nothing beyond the other goes. Those
 * that differ stay, and are found to be two. Pods whose labels no view shows have those of the workload that they are named
 * after.
 */
export function joinShown(objects: readonly SourceObject[], report: Report): readonly SourceObject[] {
  if (!objects.some(({ detail }) => detail !== undefined)) return objects;
  const byName = new Map<string, SourceObject[]>();
  for (const object of objects) {
    const views = byName.get(nameOf(object));
    if (views === undefined) byName.set(nameOf(object), [object]);
    else views.push(object);
  }
  const kept = new Map<SourceObject, SourceObject>();
  for (const views of byName.values()) {
    const best = bestOf(views);
    const [only] = best;
    if (only === undefined || best.length > 1 || views.length > mostViews) {
      for (const view of best) kept.set(view, view);
      continue;
    }
    const others = views.filter((view) => view !== only && view.detail !== undefined);
    const differences = only.detail === undefined ? others.flatMap((view) => shownDifferences(only, view)) : [];
    if (differences.length > 0) reportDifferences(only, others, differences, report);
    kept.set(only, others.sort((one, other) => detailOf(other) - detailOf(one)).reduce(completedView, only));
  }
  const joined = objects.flatMap((object) => kept.get(object) ?? []);
  return labelledByWorkload(joined, report);
}

function reportDifferences(
  { kind, value, origin }: SourceObject,
  others: readonly SourceObject[],
  differences: readonly string[],
  report: Report,
): void {
  const { namespace, name } = (value.metadata ?? {}) as { readonly namespace?: string; readonly name?: string };
  report({
    code: 'shown-differs',
    severity: 'warning',
    message: `${kind} ${namespace ?? 'default'}/${name} is not as kubectl shows it: ${[...new Set(differences)].join('; ')}`,
    at: [origin, ...others.map((view) => view.origin)],
    hint: 'the manifest counts here; what kubectl shows is what the cluster has',
  });
}

function bestOf(views: readonly SourceObject[]): readonly SourceObject[] {
  const most = views.reduce((greatest, view) => Math.max(greatest, detailOf(view)), 0);
  const best = views.filter((view) => detailOf(view) === most);
  if (most === whole || best.length > mostViews) return best;
  return best.filter((view, at) => !best.some((other, index) => index !== at && isPartOf(view, other, index < at)));
}

/** Nobody pastes more tables; a text with as many lines of one name is an attempt to keep us busy. */
const mostViews = 20;

/** An object of YAML or JSON holds more than kubectl shows of it in any other form. */
const whole = 4;

function detailOf({ detail }: SourceObject): number {
  return detail ?? whole;
}

function nameOf({ kind, value }: SourceObject): string {
  const { namespace, name } = (value.metadata ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
  return JSON.stringify([kind, namespace ?? 'default', name]);
}

/** Of two that say the same the first stays. */
function isPartOf(view: SourceObject, other: SourceObject, isLater: boolean): boolean {
  return isWithin(view.value, other.value) && (isLater || !isWithin(other.value, view.value));
}

function isWithin(part: unknown, all: unknown): boolean {
  if (typeof part !== 'object' || part === null) return part === all;
  if (typeof all !== 'object' || all === null || Array.isArray(part) !== Array.isArray(all)) return false;
  if (Array.isArray(part) && part.length !== (all as readonly unknown[]).length) return false;
  return Object.entries(part).every(([key, value]) => isWithin(value, (all as Readonly<Record<string, unknown>>)[key]));
}
