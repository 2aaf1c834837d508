import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts, NetworkInterface } from '../node/networkFacts.ts';

/**
 * The network in which expected rules stand beside a dump: the one that the dump shows, with what kube-proxy makes of it in
 * the mode, its interface and its settings. The usual network that objects let assume differs from a real one in more than
 * rules can do.
 */
export function networkBeside(shown: NetworkFacts, own: NetworkFacts): NetworkFacts {
  if (shown.interfaces.length === 0) return { ...shown, sysctls: new Map() };
  const isOfProxy = ({ name }: NetworkInterface) => name === ipvsDevice;
  return {
    ...shown,
    interfaces: [...shown.interfaces.filter((one) => !isOfProxy(one)), ...own.interfaces.filter(isOfProxy)],
    // Those of the kernel's own table follow from the addresses.
    routes: shown.routes.filter(({ table }) => table !== 'local'),
    sysctls: new Map([...shown.sysctls, ...own.sysctls]),
  };
}
