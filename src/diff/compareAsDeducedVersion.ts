import { formatKubeVersion } from '../dialect/version.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import type { DiffOptions } from './diffOptions.ts';
import { mostLikeVersion, type VersionCompared } from './mostLikeVersion.ts';

/**
 * The comparison with the version that wrote the dump, where no version was asked for: of those that may have written it
 * the most like it. Undefined: nothing tells, or several versions were at work.
 */
export function compareAsDeducedVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
): VersionCompared | undefined {
  const versions = proxySeen(dump).of(compiled.model.config.mode).versions?.versions ?? [];
  const best = mostLikeVersion(compiled, dump, options, [...versions].reverse());
  if (best === undefined) return undefined;
  const version = formatKubeVersion(best.compiled.kubeVersion);
  if (version === formatKubeVersion(compiled.kubeVersion)) return best;
  const note = `no version of kube-proxy was given: compared with ${version}, which writes such rules`;
  return { ...best, compared: { ...best.compared, notes: [note, ...best.compared.notes] } };
}
