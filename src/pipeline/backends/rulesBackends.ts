import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { iptablesRules } from './iptablesRules.ts';
import { ipvsRules } from './ipvsRules.ts';
import { nftablesRules } from './nftablesRules.ts';
import type { RulesBackend } from './rulesBackend.ts';
import { userspaceRules } from './userspaceRules.ts';

const rulesBackends: { readonly [M in ProxyMode]: RulesBackend<M> } = {
  iptables: iptablesRules,
  ipvs: ipvsRules,
  nftables: nftablesRules,
  userspace: userspaceRules,
};

/** The back end for the dialect's mode, which accepts this dialect. */
export function rulesBackendOf({ mode }: Dialect): RulesBackend<ProxyMode> {
  // The type checker cannot see that this back end and dialect have the same mode.
  return rulesBackends[mode] as RulesBackend<ProxyMode>;
}
