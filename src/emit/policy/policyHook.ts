import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { PolicyOptions } from './policyOptions.ts';

/** Where policies are asked beside kube-proxy: what IPVS sends passes by the forward hook. */
export function policyHook(mode: ProxyMode): NonNullable<PolicyOptions['hook']> {
  return modeFacts[mode].usesIpvs ? 'postrouting' : 'forward';
}
