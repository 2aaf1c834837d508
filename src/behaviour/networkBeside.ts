import { hostCidr } from '../common/addresses/hostCidr.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts, NetworkInterface, NetworkRoute } from '../node/networkFacts.ts';

/**
 * The network in which expected rules stand beside a dump: the one that the dump shows, with what kube-proxy makes of it in
 * the mode, its interface and its settings. The usual network that objects let assume differs from a real one in more than
 * rules can do.
 */
export function networkBeside(shown: NetworkFacts, own: NetworkFacts): NetworkFacts {
  if (shown.interfaces.length === 0) return { ...shown, sysctls: new Map() };
  const sysctls = new Map([...shown.sysctls, ...own.sysctls]);
  // Ports of a bridge alone tell nothing of addresses: those of kube-ipvs0 would be the only ones.
  if (shown.interfaces.every(({ addresses }) => addresses.length === 0)) return { ...shown, sysctls };
  const isOfProxy = ({ name }: NetworkInterface) => name === ipvsDevice;
  const made = own.interfaces.filter(isOfProxy);
  return {
    ...shown,
    interfaces: [...shown.interfaces.filter((one) => !isOfProxy(one)), ...made],
    routes: [...shown.routes.filter(({ device }) => device !== ipvsDevice), ...localRoutes(made, shown.routes)],
    sysctls,
  };
}

/** What the kernel adds to its own table for addresses of interfaces, in families of which that table is shown. */
function localRoutes(interfaces: readonly NetworkInterface[], shown: readonly NetworkRoute[]): readonly NetworkRoute[] {
  const families = new Set(shown.filter(({ table }) => table === 'local').map(({ family }) => family));
  return interfaces.flatMap(({ addresses }) =>
    addresses.flatMap(({ cidr }): NetworkRoute[] => {
      const [ip = ''] = cidr.split('/');
      const family = familyOf(ip);
      if (family === undefined || !families.has(family)) return [];
      const route = { type: 'local', destination: hostCidr(ip), source: ip, table: 'local', metric: 0 };
      return [{ family, ...route, device: ipvsDevice }];
    }),
  );
}
