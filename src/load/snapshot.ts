import type { Loaded, Snapshot } from './loaded.ts';
import type { SourceObject } from './sourceObject.ts';

const apiVersion = 'k8snet/v1';
const ownKind = 'Snapshot';

/** As it is packed, an object of its own kind. */
export function snapshotObject({ hidden, isWhole, unreadNodes, changing }: Omit<Snapshot, 'file'>): object {
  return { apiVersion, kind: ownKind, hidden, isWhole, unreadNodes, changing };
}

/** The objects without those that describe a snapshot, and their content if there are some. */
export function withoutSnapshots(objects: readonly SourceObject[]): Pick<Loaded, 'objects' | 'snapshot'> {
  const own = objects.filter(isSnapshot);
  if (own.length === 0) return { objects };
  return {
    objects: objects.filter((object) => !isSnapshot(object)),
    snapshot: {
      file: own[0]?.origin.file ?? '',
      hidden: [...new Set(own.flatMap(({ value }) => kindsIn(value.hidden)))],
      isWhole: own.every(({ value }) => value.isWhole === true),
      unreadNodes: own.reduce((sum, { value }) => sum + numberIn(value.unreadNodes), 0),
      changing: [...new Set(own.flatMap(({ value }) => servicesIn(value.changing)))],
    },
  };
}

/** Kinds that are unknown: hidden from who collected a snapshot, and not given beside it. */
export function hiddenKinds({ objects, snapshot }: Pick<Loaded, 'objects' | 'snapshot'>): ReadonlySet<string> {
  const hidden = new Set(snapshot?.hidden ?? []);
  if (hidden.size > 0) for (const { kind } of objects) hidden.delete(kind);
  return hidden;
}

/** The archive itself: who reads a message looks for no file in it. */
export function placeOfSnapshot(file: string): string {
  return file.replace(/:cluster\/snapshot\.json$/, '');
}

function isSnapshot({ apiVersion: version, kind }: SourceObject): boolean {
  return version === apiVersion && kind === ownKind;
}

function kindsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((kind) => typeof kind === 'string' && /^[A-Za-z]{1,63}$/.test(kind)) : [];
}

function servicesIn(value: unknown): readonly string[] {
  const isName = (name: unknown) => typeof name === 'string' && /^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/.test(name);
  return Array.isArray(value) ? value.filter(isName) : [];
}

/** Archives of older versions do not say it. */
function numberIn(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}
