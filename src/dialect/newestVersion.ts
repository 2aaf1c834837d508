import { knownVersions } from './knownVersions.ts';
import type { KubeVersion } from './version.ts';

/** The newest version that is known: what is compiled for where nothing tells another one. */
export function newestVersion(): KubeVersion {
  return knownVersions('iptables').at(-1) as KubeVersion;
}
