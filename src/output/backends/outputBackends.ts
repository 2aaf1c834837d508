import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { OutputBackend } from './outputBackend.ts';

/** Each mode's code is loaded by itself. */
const outputBackends: { readonly [M in ProxyMode]: () => Promise<OutputBackend<M>> } = {
  iptables: async () => (await import('./iptablesOutput.ts')).iptablesOutput,
  ipvs: async () => (await import('./ipvsOutput.ts')).ipvsOutput,
  nftables: async () => (await import('./nftablesOutput.ts')).nftablesOutput,
  userspace: async () => (await import('./userspaceOutput.ts')).userspaceOutput,
};

/** That of a mode; it takes dialects of this mode alone. */
export function outputBackend(mode: ProxyMode): Promise<OutputBackend<ProxyMode>> {
  return outputBackends[mode]() as Promise<OutputBackend<ProxyMode>>;
}
