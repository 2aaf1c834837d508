import { setTimeout } from 'node:timers/promises';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import type { ChangeLog } from './changeLog.ts';
import type { LiveNeeds } from './lists/liveKinds.ts';
import type { KnownObjects } from './node/openNode.ts';
import { recentServices } from './recentServices.ts';
import { usualSync } from './usualSync.ts';

/** A request and the messages about it. */
export interface Told<T> {
  readonly value: T | undefined;
  readonly said: readonly Diagnostic[];
}

/** Objects of a cluster; `within`: of this namespace where the account may read no others. */
export interface ObjectReader {
  readonly readAll: (needs: LiveNeeds, within?: string) => Promise<ReadObjects>;
  /** Only Services and their endpoints. */
  readonly readServices: (needs: LiveNeeds, within: string | undefined) => Promise<readonly SourceObject[] | undefined>;
}

interface ReadObjects extends Told<readonly SourceObject[]> {
  readonly needs: LiveNeeds;
  /** The Pods of all namespaces were read. */
  readonly hasAllPods: boolean;
}

/** Objects and nodes of a cluster, read as if in one moment; see `Live`. */
export interface Moment {
  /** What has been read so far. */
  readonly known: () => KnownObjects;
  readonly objects: (needs: LiveNeeds) => Promise<Told<readonly SourceObject[]>>;
  readonly readTogether: (names: readonly string[], needs: LiveNeeds | undefined, service?: string) => Promise<void>;
  readonly changing: () => ReadonlySet<string>;
  /** Waits until what changed before the objects were read is in the rules. */
  readonly untilObjectsWritten: () => Promise<void>;
  /** Reads Services and their endpoints again: those that changed since the objects were read. */
  readonly changedSince: () => Promise<ReadonlySet<string>>;
  /**
   * Waits until what changed before the nodes were asked is in the rules. False: nothing did, as far as several readings
   * show, or no objects were read with them.
   */
  readonly untilWritten: () => Promise<boolean>;
}

export function openMoment(
  { readAll, readServices }: ObjectReader,
  changes: ChangeLog,
  readNodes: (names: readonly string[]) => Promise<unknown>,
): Moment {
  let objects: ReadObjects | undefined;
  let changing: ReadonlySet<string> = new Set();
  /** When nodes were last asked. */
  let asked = Number.POSITIVE_INFINITY;
  const note = (read: readonly SourceObject[] | undefined): ReadonlySet<string> =>
    read === undefined ? new Set() : changes.note(read, performance.now());
  const readTogether = async (names: readonly string[], needs: LiveNeeds | undefined, service?: string) => {
    const within = service?.replace(/\/.*/, '');
    if (needs !== undefined && !isSame(objects?.needs, needs)) {
      objects = await readAll(needs, within);
      note(objects.value);
    }
    for (let round = 1; ; round += 1) {
      const began = Date.now();
      asked = performance.now();
      await readNodes(names);
      if (needs === undefined || objects?.value === undefined) return;
      let after = await readServices(needs, within);
      const moved = note(after);
      // What else changed is read with them; and what cannot be read now is reported.
      if (after === undefined || moved.size > 0) {
        objects = await readAll(needs, within);
        after = objects.value;
        note(after);
      }
      if (after === undefined) return;
      changing = new Set([...changes.since(asked - usualSync), ...recentServices(after, began, usualSync)]);
      const isSettled = service === undefined ? moved.size === 0 : !changing.has(service);
      if (isSettled || round === rounds) return;
      if (service !== undefined) await setTimeout(usualSync);
    }
  };
  return {
    known: () => ({ objects: objects?.value ?? [], hasAllPods: objects?.hasAllPods ?? false }),
    objects: async (needs) => {
      if (objects === undefined || !isSame(objects.needs, needs)) {
        objects = await readAll(needs);
        note(objects.value);
      }
      return objects;
    },
    readTogether,
    changing: () => changing,
    untilObjectsWritten: () => setTimeout(Math.max(0, changes.beginning() + usualSync - performance.now())),
    changedSince: async () => note(objects && (await readServices(objects.needs, undefined))),
    untilWritten: async () => {
      // Before it, anything may have been deleted.
      const known = changes.beginning() + usualSync;
      if (!Number.isFinite(known) || (asked >= known && changing.size === 0)) return false;
      await setTimeout(Math.max(0, Math.max(known, changing.size > 0 ? asked + usualSync : 0) - performance.now()));
      return true;
    },
  };
}

function isSame(one: LiveNeeds | undefined, other: LiveNeeds): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const rounds = 2;
