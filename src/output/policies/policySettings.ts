import type { PolicyOptions } from '../../emit/policy/policyOptions.ts';

/** How policies are compiled. */
export interface PolicySettings extends PolicyOptions {
  /** Undefined: nftables in kube-proxy's nftables mode, otherwise iptables. */
  readonly backend: 'nftables' | 'iptables' | undefined;
}
