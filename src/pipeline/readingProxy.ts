import { dialectOf } from '../dialect/dialectOf.ts';
import { newestVersion } from '../dialect/newestVersion.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import type { ReadingProxy } from '../validate/readingProxy.ts';

/** What the asked version takes in its configuration, whatever mode that names; undefined: the newest. */
export function readingProxy({ mode }: TargetOptions, version: KubeVersion | undefined): ReadingProxy {
  return { mode, knowsPrimary: dialectOf(mode ?? 'iptables', version ?? newestVersion()).plan.knowsPrimary };
}
