import { cidrAddress } from '../common/addresses/cidr.ts';
import type { NetworkFacts } from './networkFacts.ts';

/** All addresses of a node's interfaces (`ip addr`), canonical. */
export function interfaceAddresses({ interfaces }: Pick<NetworkFacts, 'interfaces'>): readonly string[] {
  return interfaces.flatMap(({ addresses }) => addresses.flatMap(({ cidr }) => cidrAddress(cidr) ?? []));
}
