import { sameData } from '../common/sameData.ts';
import { sameItems } from '../common/sameItems.ts';
import type { SourceObject } from './sourceObject.ts';
import type { ItemMemory, KeptItem } from './yaml/usualCursor.ts';

/** What was read of texts before: people edit a line of them, and the rest is as it was. */
export interface TextMemory extends ItemMemory {
  /** The value of a document of YAML that was read without a word about it, by its text. */
  readonly documentOf: (text: string) => { readonly value: unknown } | undefined;
  readonly keepDocument: (text: string, value: unknown) => void;
  /**
   * The objects that were read now, with those of the last reading in place of objects that stand where they stood and say
   * the same: what keeps results by object recognizes them. It ends this reading.
   */
  readonly recognized: (objects: readonly SourceObject[]) => readonly SourceObject[];
}

export function textMemory(): TextMemory {
  let objects: readonly SourceObject[] = [];
  let documents: ReadonlyMap<string, unknown> = new Map();
  let reading = new Map<string, unknown>();
  let items: ReadonlyMap<string, KeptItem> = new Map();
  let itemsNow = new Map<string, KeptItem>();
  return {
    documentOf: (text) => (documents.has(text) ? { value: documents.get(text) } : undefined),
    keepDocument: (text, value) => {
      reading.set(text, value);
    },
    itemOf: (text) => items.get(text),
    keepItem: (text, item) => {
      itemsNow.set(text, item);
    },
    recognized: (read) => {
      objects = withEarlier(read, objects);
      documents = reading;
      reading = new Map();
      items = itemsNow;
      itemsNow = new Map();
      return objects;
    },
  };
}

function withEarlier(objects: readonly SourceObject[], earlier: readonly SourceObject[]): readonly SourceObject[] {
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
  return one.file === other.file && one.document === other.document && sameItems(one.path, other.path);
}

function placeOf({ origin: { file, document, path } }: SourceObject): string {
  return JSON.stringify([file, document, path]);
}

function sameObject(one: SourceObject, other: SourceObject): boolean {
  return (
    one.apiVersion === other.apiVersion &&
    one.kind === other.kind &&
    one.detail === other.detail &&
    sameData(one.value, other.value)
  );
}
