import { escapeText } from '../../common/text/escapeText.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import type { ShownSettings } from './shownSettings.ts';

/** Settings as command-line options; the name in kube-proxy's configuration if there is no option. */
export function settingFlags(
  settings: ShownSettings & Pick<CompileInput['target'], 'serviceCIDRs'>,
): readonly string[] {
  const { masqueradeAll, masqueradeBit, ipvsScheduler, detectLocalMode, localhostNodePorts } = settings;
  const { bridgeInterface, interfaceNamePrefix, nodePortAddresses, serviceCIDRs } = settings;
  return [
    ...(detectLocalMode === undefined ? [] : [`--detect-local-mode ${detectLocalMode}`]),
    ...(bridgeInterface === undefined ? [] : [`--bridge-interface ${escapeText(bridgeInterface)}`]),
    ...(interfaceNamePrefix === undefined ? [] : [`--pod-interface-name-prefix ${escapeText(interfaceNamePrefix)}`]),
    ...(masqueradeAll ? ['--masquerade-all'] : []),
    ...(masqueradeBit === undefined ? [] : [`--iptables-masquerade-bit ${masqueradeBit}`]),
    ...(ipvsScheduler === undefined ? [] : [`--ipvs-scheduler ${ipvsScheduler}`]),
    ...(nodePortAddresses === undefined ? [] : [`--nodeport-addresses ${nodePortAddresses.join(',')}`]),
    ...(serviceCIDRs === undefined ? [] : [`--service-cidr ${serviceCIDRs.join(',')}`]),
    ...(localhostNodePorts === false ? ['iptables.localhostNodePorts=false'] : []),
  ];
}
