import { hostCidr } from '../../common/hostCidr.ts';
import { dnsCacheAddresses } from '../../node/dnsCacheAddresses.ts';
import type { NetworkInterface } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

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
