import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { canonicalIp, isLoopbackIp } from '../../common/addresses/ip.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import type { ProxySeen } from '../../seen/proxySeen.ts';

/** Settings that a dump shows and nobody gave, as options; defaults are left out. */
export type ShownSettings = Pick<
  CompileInput['target'],
  | 'ipvsScheduler'
  | 'masqueradeAll'
  | 'masqueradeBit'
  | 'detectLocalMode'
  | 'bridgeInterface'
  | 'interfaceNamePrefix'
  | 'localhostNodePorts'
  | 'nodePortAddresses'
>;

/**
 * Settings for want of a configuration. Addresses for node ports count if all of them belong to a known Node: otherwise
 * they come from another node.
 */
export function shownSettings({ target, objects }: CompileInput, proxy: ProxySeen, mode: ProxyMode): ShownSettings {
  const { scheduler, masqueradeBit, masqueradesAll, detector, localhostNodePorts, nodePortIPs } =
    proxy.of(mode).settings;
  const known = nodePortIPs === undefined ? [] : knownAddresses(target, objects);
  const areKnown = nodePortIPs?.every((ip) => known.includes(ip) || isLoopbackIp(ip));
  const hasDetector = target.clusterCIDR !== undefined || target.detectLocalMode !== undefined;
  return {
    ...(scheduler !== undefined && target.ipvsScheduler === undefined && { ipvsScheduler: scheduler }),
    ...(masqueradesAll && target.masqueradeAll === undefined && { masqueradeAll: true }),
    ...(masqueradeBit !== undefined && target.masqueradeBit === undefined && { masqueradeBit }),
    ...(localhostNodePorts === false && { localhostNodePorts }),
    ...(nodePortIPs &&
      areKnown &&
      target.nodePortAddresses === undefined && { nodePortAddresses: nodePortIPs.map(hostCidr) }),
    ...(!hasDetector &&
      detector?.kind === 'bridge' && { detectLocalMode: 'BridgeInterface', bridgeInterface: detector.name }),
    ...(!hasDetector &&
      detector?.kind === 'prefix' && { detectLocalMode: 'InterfaceNamePrefix', interfaceNamePrefix: detector.prefix }),
  };
}

/** Reads them from objects that are not validated yet. */
function knownAddresses(target: CompileInput['target'], objects: CompileInput['objects']): readonly string[] {
  const ofNodes = objects.flatMap(({ kind, value }) => {
    const status = kind === 'Node' ? (value.status as { addresses?: unknown } | null | undefined) : undefined;
    const addresses: readonly unknown[] = Array.isArray(status?.addresses) ? status.addresses : [];
    return addresses.flatMap((one) => canonicalIp(String((one as { address?: unknown } | null)?.address)) ?? []);
  });
  return [...ofNodes, ...(target.nodeIPs ?? []), ...(target.nodeAddresses ?? []).map(addressOf)];
}

/** `192.168.10.1` of `192.168.10.1/24`. */
function addressOf(address: string): string {
  return address.split('/')[0] ?? '';
}
