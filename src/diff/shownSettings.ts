import type { ProxyMode } from '../common/proxyMode.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { CompileInput } from '../pipeline/compile.ts';
import { shownTarget } from './shownTarget.ts';

/** Settings that a dump shows and nobody gave, as options; none that is the default. */
export type ShownSettings = Pick<
  CompileInput['target'],
  | 'ipvsScheduler'
  | 'masqueradeAll'
  | 'masqueradeBit'
  | 'detectLocalMode'
  | 'bridgeInterface'
  | 'interfaceNamePrefix'
  | 'localhostNodePorts'
>;

/** What a configuration would have said, where there is none. */
export function shownSettings(target: CompileInput['target'], dump: NodeRules, mode: ProxyMode): ShownSettings {
  const { scheduler, masqueradeBit, masqueradesAll, detector, localhostNodePorts } = shownTarget(dump, mode);
  const hasDetector = target.clusterCIDR !== undefined || target.detectLocalMode !== undefined;
  return {
    ...(scheduler !== undefined && target.ipvsScheduler === undefined && { ipvsScheduler: scheduler }),
    ...(masqueradesAll && target.masqueradeAll === undefined && { masqueradeAll: true }),
    ...(masqueradeBit !== undefined && target.masqueradeBit === undefined && { masqueradeBit }),
    ...(localhostNodePorts === false && { localhostNodePorts }),
    ...(!hasDetector &&
      detector?.kind === 'bridge' && { detectLocalMode: 'BridgeInterface', bridgeInterface: detector.name }),
    ...(!hasDetector &&
      detector?.kind === 'prefix' && { detectLocalMode: 'InterfaceNamePrefix', interfaceNamePrefix: detector.prefix }),
  };
}
