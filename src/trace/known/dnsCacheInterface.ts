import { hostCidr } from '../../common/addresses/hostCidr.ts';
import type { NetworkInterface } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { dnsCacheAddresses } from '../../node/programs/dnsCacheAddresses.ts';

/** The dummy interface that NodeLocal DNSCache makes. */
export const dnsCacheDevice = 'nodelocaldns';

/**
 * The interface on which NodeLocal DNSCache has its addresses, if only its rules show them. Undefined: there are none.
 */
export function dnsCacheInterface(node: NodeRules): NetworkInterface | undefined {
  const ips = dnsCacheAddresses(node);
  if (ips.length === 0) return undefined;
  return { name: dnsCacheDevice, addresses: ips.map((ip) => ({ cidr: hostCidr(ip) })) };
}
