import { sameJson } from '../common/sameJson.ts';
import type { SourceObject } from './sourceObject.ts';

/**
 * The objects, with those of an earlier reading in place of objects that stand where they stood and say the same. What
 * keeps results by object then recognizes them.
 */
export function takeEarlier(
  objects: readonly SourceObject[],
  earlier: readonly SourceObject[],
): readonly SourceObject[] {
  let byPlace: ReadonlyMap<string, SourceObject> | undefined;
  const atPlace = (object: SourceObject) => {
    byPlace ??= new Map(earlier.map((one) => [placeOf(one), one]));
    return byPlace.get(placeOf(object));
  };
  return objects.map((object, at) => {
    const beside = earlier[at];
    const known = beside !== undefined && samePlace(beside, object) ? beside : atPlace(object);
    return known !== undefined && sameObject(known, object) ? known : object;
  });
}

function samePlace({ origin: one }: SourceObject, { origin: other }: SourceObject): boolean {
  return (
    one.file === other.file &&
    one.document === other.document &&
    one.path.length === other.path.length &&
    one.path.every((step, at) => step === other.path[at])
  );
}

function placeOf({ origin: { file, document, path } }: SourceObject): string {
  return JSON.stringify([file, document, path]);
}

function sameObject(one: SourceObject, other: SourceObject): boolean {
  return (
    one.apiVersion === other.apiVersion &&
    one.kind === other.kind &&
    one.detail === other.detail &&
    sameJson(one.value, other.value)
  );
}
