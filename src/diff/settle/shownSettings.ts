import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import { proxySeen } from '../../seen/proxySeen.ts';
import { shownNodePortAddresses } from './shownNodePortAddresses.ts';

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

/** Settings for want of a configuration. */
export function shownSettings(input: CompileInput, dump: NodeRules, mode: ProxyMode): ShownSettings {
  const { target } = input;
  const { scheduler, masqueradeBit, masqueradesAll, detector, localhostNodePorts } = proxySeen(dump).of(mode).settings;
  const hasDetector = target.clusterCIDR !== undefined || target.detectLocalMode !== undefined;
  const nodePortAddresses =
    target.nodePortAddresses === undefined ? shownNodePortAddresses(input, dump, mode) : undefined;
  return {
    ...(scheduler !== undefined && target.ipvsScheduler === undefined && { ipvsScheduler: scheduler }),
    ...(masqueradesAll && target.masqueradeAll === undefined && { masqueradeAll: true }),
    ...(masqueradeBit !== undefined && target.masqueradeBit === undefined && { masqueradeBit }),
    ...(localhostNodePorts === false && { localhostNodePorts }),
    ...(nodePortAddresses && { nodePortAddresses }),
    ...(!hasDetector &&
      detector?.kind === 'bridge' && { detectLocalMode: 'BridgeInterface', bridgeInterface: detector.name }),
    ...(!hasDetector &&
      detector?.kind === 'prefix' && { detectLocalMode: 'InterfaceNamePrefix', interfaceNamePrefix: detector.prefix }),
  };
}
