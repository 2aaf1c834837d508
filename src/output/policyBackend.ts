import { modeFacts } from '../common/modeFacts.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { PolicySettings } from './policySettings.ts';

/** The kind of rules that policies get: the one that was asked for, else that of kube-proxy's mode. */
export function policyBackend({ model }: Compiled, { backend }: PolicySettings): 'nftables' | 'iptables' {
  return backend ?? modeFacts[model.config.mode].rulesIn;
}
