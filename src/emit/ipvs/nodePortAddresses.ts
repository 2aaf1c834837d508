import { isLoopbackIp } from '../../common/addresses/ip.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import type { NodePlan } from '../../plan/plan.ts';

/**
 * The addresses that get a virtual service for each node port, sorted as text. A loopback address only counts in a
 * version that opens it, if it was named as one of the node's or by nodePortAddresses: IPVS cannot send packets from
 * 127.0.0.1 to a Pod. Without a restriction, link-local IPv6 addresses do not count either.
 */
export function nodePortAddresses(
  node: NodePlan,
  namedLoopback: readonly string[],
  dialect: IpvsDialect,
): readonly string[] {
  const isNamed = (address: string) =>
    !isLoopbackIp(address) || (dialect.opensLoopbackNodePorts && namedLoopback.includes(address));
  const addresses =
    node.nodePorts.kind === 'anyLocal'
      ? node.addresses.filter((address) => !/^fe[89ab][0-9a-f]:/.test(address) && isNamed(address))
      : node.nodePorts.addresses.filter((address) => dialect.opensLoopbackNodePorts || isNamed(address));
  return [...new Set(addresses)].sort();
}
