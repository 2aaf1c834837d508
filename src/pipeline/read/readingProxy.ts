import { defaultMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import { modeTable } from '../../dialect/modeTable.ts';
import { newestVersion } from '../../dialect/newestVersion.ts';
import { compareKubeVersions, type KubeVersion, parseKubeVersion } from '../../dialect/version.ts';
import type { TargetOptions } from '../../resolve/targetOptions.ts';
import type { ReadingProxy } from '../../validate/readingProxy.ts';

/** What the requested version accepts in its configuration, whatever mode that names; undefined: the newest. */
export function readingProxy({ mode }: TargetOptions, version: KubeVersion | undefined): ReadingProxy {
  const known = version ?? newestVersion();
  const { nodePortWords } = dialectOf(mode ?? defaultMode, known).plan;
  const removed = parseKubeVersion(modeTable('userspace').removedIn ?? '');
  const hasUserspaceMode = removed === undefined || compareKubeVersions(known, removed) < 0;
  return { mode, nodePortWords, hasUserspaceMode };
}
