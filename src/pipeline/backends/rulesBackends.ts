import type { ProxyMode } from '../../common/proxyMode.ts';
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

/** The back end of the dialect's mode, which takes this dialect. */
export function rulesBackendOf({ mode }: Dialect): RulesBackend<ProxyMode> {
  // That back end and dialect are of one mode is beyond the type checker.
  return rulesBackends[mode] as RulesBackend<ProxyMode>;
}
