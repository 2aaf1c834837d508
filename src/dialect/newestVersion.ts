import type { KubeVersion } from './version.ts';

/** The version that is compiled for where nothing tells another one: the newest that is recorded. */
export function newestVersion(): KubeVersion {
  return { minor: 30, patch: undefined };
}
