import { isLoopbackIp } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import { knownVersions } from '../../dialect/knownVersions.ts';
import type { KubeVersion } from '../../dialect/version.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { proxySeen } from '../../seen/proxySeen.ts';

/**
 * The versions of kube-proxy that may have written a dump, the oldest first; empty: nothing shows it, or several were at
 * work. Virtual servers alone show no version, except those for node ports on loopback addresses, which kube-proxy made before
 * 1.22. `nodePorts`: `tcp 30080` of each Service.
 */
function versionsShown(dump: NodeRules, mode: ProxyMode, nodePorts: () => readonly string[]): readonly KubeVersion[] {
  const { of, nodePortIPsOf } = proxySeen(dump);
  const told = of(mode).versions?.versions;
  if (!modeFacts[mode].usesIpvs || !nodePortIPsOf(nodePorts()).some(isLoopbackIp)) return told ?? [];
  const before = (told ?? knownVersions('ipvs')).filter(
    (version) => dialectOf('ipvs', version).spelling.opensLoopbackNodePorts,
  );
  return before.length > 0 ? before : (told ?? []);
}

/** The same for a dump that compiled objects are compared with, the newest first. */
export function versionsWith({ model }: Compiled, dump: NodeRules): readonly KubeVersion[] {
  const nodePorts = () =>
    model.servicePorts.flatMap(({ nodePort, protocol }) =>
      nodePort > 0 ? [`${protocol.toLowerCase()} ${nodePort}`] : [],
    );
  return [...versionsShown(dump, model.config.mode, nodePorts)].reverse();
}

/** The newest of them, by the mode. */
export function newestShown(
  dump: NodeRules,
  nodePorts: readonly string[],
): (mode: ProxyMode) => KubeVersion | undefined {
  return (mode) => versionsShown(dump, mode, () => nodePorts).at(-1);
}
