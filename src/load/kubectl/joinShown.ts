import type { SourceObject } from '../sourceObject.ts';

/**
 * Takes one of the views of an object: kubectl shows it in several tables and descriptions, and a file may hold it whole.
 * What shows more wins; of two that show as much, one that says nothing beyond the other goes. Those that differ stay, and
 * are found to be two.
 */
export function joinShown(objects: readonly SourceObject[]): readonly SourceObject[] {
  if (!objects.some(({ detail }) => detail !== undefined)) return objects;
  const byName = new Map<string, SourceObject[]>();
  for (const object of objects) {
    const views = byName.get(nameOf(object));
    if (views === undefined) byName.set(nameOf(object), [object]);
    else views.push(object);
  }
  const kept = new Set<SourceObject>();
  for (const views of byName.values()) for (const view of bestOf(views)) kept.add(view);
  return objects.filter((object) => kept.has(object));
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
