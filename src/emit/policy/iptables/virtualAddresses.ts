import { isLoopbackIp } from '../../../common/addresses/ip.ts';
import type { Plan } from '../../../plan/plan.ts';

/**
 * What IPVS serves in a family, as members of a hash:ip,port set: cluster IPs, external and load-balancer addresses, and
 * node ports at the node's addresses.
 */
export function virtualAddresses({ node, services }: Plan): readonly string[] {
  const { nodePorts } = node;
  const opened = nodePorts.kind === 'addresses' ? nodePorts.addresses : node.addresses;
  const outward = opened.filter((ip) => !isLoopbackIp(ip));
  const members = services.flatMap(({ port, protocol, loadBalancerIPs }) => [
    ...[port.clusterIP, ...port.externalIPs, ...loadBalancerIPs].map((ip) => `${ip},${protocol}:${port.port}`),
    ...(port.nodePort === 0 ? [] : outward.map((ip) => `${ip},${protocol}:${port.nodePort}`)),
  ]);
  return [...new Set(members)].sort();
}
