import { isLoopbackIp } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import { knownVersions } from '../../dialect/knownVersions.ts';
import { formatKubeVersion, type KubeVersion } from '../../dialect/version.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import type { DiffOptions } from '../diffOptions.ts';
import { mostLikeVersion, type VersionCompared } from '../settle/mostLikeVersion.ts';

/**
 * The comparison with the version that wrote the dump, if no version was asked for: of all possible versions, the most
 * similar one. Undefined: nothing shows the version, or several versions were at work.
 */
export function compareAsDeducedVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
): VersionCompared | undefined {
  const versions = versionsShown(compiled, dump);
  const best = mostLikeVersion(compiled, dump, options, [...versions].reverse());
  if (best === undefined) return undefined;
  const version = formatKubeVersion(best.compiled.kubeVersion);
  if (version === formatKubeVersion(compiled.kubeVersion)) return best;
  const note = `no version of kube-proxy was given: compared with ${version}, which writes such rules`;
  return { ...best, compared: { ...best.compared, notes: [note, ...best.compared.notes] } };
}

/**
 * The versions that may have written the dump. Virtual servers alone show no version, except those for node ports on
 * loopback addresses, which kube-proxy made before 1.22.
 */
function versionsShown({ model }: Compiled, dump: NodeRules): readonly KubeVersion[] {
  const { mode } = model.config;
  const { of, nodePortIPsOf } = proxySeen(dump);
  const told = of(mode).versions?.versions;
  if (!modeFacts[mode].usesIpvs) return told ?? [];
  const nodePorts = model.servicePorts.flatMap(({ nodePort, protocol }) =>
    nodePort > 0 ? [`${protocol.toLowerCase()} ${nodePort}`] : [],
  );
  if (!nodePortIPsOf(nodePorts).some(isLoopbackIp)) return told ?? [];
  const before = (told ?? knownVersions('ipvs')).filter(
    (version) => dialectOf('ipvs', version).spelling.opensLoopbackNodePorts,
  );
  return before.length > 0 ? before : (told ?? []);
}
