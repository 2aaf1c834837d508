import type { Dice } from '../kernel/walk/dice.ts';
import type { ProxyNode } from './openCluster.ts';

/**
 * Random settings of a kube-proxy as its configuration names them: those that change what it writes, and that it can load.
 */
export function randomSettings(dice: Dice, { version, mode }: Pick<ProxyNode, 'version' | 'mode'>): object {
  const nodePorts = dice.pick([
    undefined,
    undefined,
    ['192.168.77.0/24', 'fd77::/64'],
    ['192.168.77.0/24'],
    ['127.0.0.0/8', '::1/128', '192.168.0.0/16'],
    ['198.51.100.0/24', '2001:db8:9::/64'],
    ['0.0.0.0/0', '::/0'],
    ['primary'],
  ]);
  const isNamed = nodePorts?.includes('primary') === true;
  return {
    ...(nodePorts !== undefined && !(isNamed && minor(version) < 31) && { nodePortAddresses: nodePorts }),
    ...localTraffic(dice, version, mode),
    ...(dice.percent(20) && { conntrack: { ...quietConntrack, tcpBeLiberal: true } }),
    [mode]: {
      ...syncs,
      ...(dice.percent(30) && { masqueradeAll: true }),
      ...(dice.percent(30) && { masqueradeBit: dice.below(32) }),
      ...(mode === 'iptables' && dice.percent(30) && { localhostNodePorts: false }),
    },
  };
}

/** Kernels of a test need no time between two syncs. */
export const syncs = { minSyncPeriod: '100ms', syncPeriod: '10s' };

/** The sysctls of the machine stay as they are. */
export const quietConntrack = { maxPerCore: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' };

/** How kube-proxy knows packets of its node's Pods. */
function localTraffic(dice: Dice, version: string, mode: ProxyNode['mode']): object {
  const ranges = dice.pick([undefined, undefined, '10.244.0.0/16', 'fd00:10::/32', '']);
  const clusterCIDR = ranges === undefined ? {} : { clusterCIDR: ranges };
  // Before, nft is given `iif`, which takes no prefix and only an interface that exists.
  const takesNames = mode === 'iptables' || minor(version) >= 35;
  switch (dice.pick(['ClusterCIDR', 'ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix', undefined])) {
    case 'ClusterCIDR':
      return { ...clusterCIDR, detectLocalMode: 'ClusterCIDR' };
    case 'NodeCIDR':
      return { ...clusterCIDR, detectLocalMode: 'NodeCIDR' };
    case 'BridgeInterface':
      return takesNames
        ? { ...clusterCIDR, detectLocalMode: 'BridgeInterface', detectLocal: { bridgeInterface: 'cni0' } }
        : clusterCIDR;
    case 'InterfaceNamePrefix':
      return takesNames
        ? { ...clusterCIDR, detectLocalMode: 'InterfaceNamePrefix', detectLocal: { interfaceNamePrefix: 'veth' } }
        : clusterCIDR;
    default:
      return clusterCIDR;
  }
}

function minor(version: string): number {
  return Number(version.split('.')[1]);
}
