import { knownVersions } from './knownVersions.ts';
import type { KubeVersion } from './version.ts';

/** The newest known version: the default for compiling. */
export function newestVersion(): KubeVersion {
  return knownVersions('iptables').at(-1) as KubeVersion;
}
