import type { SourceObject } from '../load/sourceObject.ts';
import { changedServices, type ServiceVersions, serviceVersions } from './changedServices.ts';

/**
 * Changes of Services over several readings of one cluster. It shows what no object tells: that something was deleted.
 * Times are milliseconds of a clock of ours that never goes back.
 */
export interface ChangeLog {
  /** Holds a reading that was complete at `now` against the one before: Services (`namespace/name`) that changed between. */
  readonly note: (objects: readonly SourceObject[], now: number) => ReadonlySet<string>;
  /** Services that changed at `time` or later, or perhaps did: noticed by then, they may have changed a while before. */
  readonly since: (time: number) => ReadonlySet<string>;
  /** When the first reading was complete: every later change is noticed. Infinity: nothing has been read. */
  readonly beginning: () => number;
}

export function openChangeLog(): ChangeLog {
  let known: ServiceVersions | undefined;
  let beginning = Number.POSITIVE_INFINITY;
  const noticed = new Map<string, number>();
  return {
    note: (objects, now) => {
      const versions = serviceVersions(objects);
      if (known === undefined) beginning = now;
      const changed = known === undefined ? new Set<string>() : changedServices(known, versions);
      for (const service of changed) noticed.set(service, now);
      known = versions;
      return changed;
    },
    since: (time) => {
      // Who follows a cluster for days asks for later and later times.
      for (const [service, at] of noticed) if (at < time) noticed.delete(service);
      return new Set(noticed.keys());
    },
    beginning: () => beginning,
  };
}
