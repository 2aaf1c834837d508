import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { PolicySettings } from './policySettings.ts';

/** The kind of rules for policies: the requested one, otherwise that of kube-proxy's mode. */
export function policyBackend({ model }: Compiled, { backend }: PolicySettings): 'nftables' | 'iptables' {
  return backend ?? modeFacts[model.config.mode].rulesIn;
}
