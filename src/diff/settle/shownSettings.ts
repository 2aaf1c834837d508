import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { isLoopbackIp } from '../../common/addresses/ip.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import type { ProxySeen } from '../../seen/proxySeen.ts';
import { knownAddresses } from './knownAddresses.ts';

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
