import { newestVersion } from '../../dialect/newestVersion.ts';
import { formatKubeVersion } from '../../dialect/version.ts';
import type { Compiled } from '../../pipeline/compile.ts';

/** Says which version was taken because the rules of a node show it; undefined: a version was given, or it is the newest. */
export function deducedVersionNote({ kubeVersion, isVersionKnown }: Compiled): string | undefined {
  const version = formatKubeVersion(kubeVersion);
  if (isVersionKnown || version === formatKubeVersion(newestVersion())) return undefined;
  return `no version of kube-proxy was given: compared with ${version}, which writes such rules`;
}
