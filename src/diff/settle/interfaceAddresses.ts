import { cidrAddress } from '../../common/addresses/cidr.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/** The addresses that a node shows beside its rules (`ip addr`). */
export function interfaceAddresses({ network }: NodeRules): readonly string[] {
  return network.interfaces.flatMap(({ addresses }) =>
    addresses.flatMap(({ cidr }) => canonicalIp(cidrAddress(cidr) ?? '') ?? []),
  );
}
