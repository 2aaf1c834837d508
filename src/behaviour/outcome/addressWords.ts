import type { AddressKind } from '../packets/destinationNames.ts';

export const addressWords: Readonly<Record<AddressKind, string>> = {
  clusterIP: 'cluster IP',
  loadBalancerIP: 'load-balancer IP',
  externalIP: 'external IP',
  nodePort: 'node port',
  node: 'node address',
  pod: 'Pod address',
  other: 'foreign address',
};
