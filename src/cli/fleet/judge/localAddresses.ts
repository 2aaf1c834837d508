import { canonicalIp } from '../../../common/addresses/ip.ts';
import { interfaceAddresses } from '../../../node/interfaceAddresses.ts';
import type { WalkNode } from '../../dumps/readWalkNode.ts';

/** The addresses of a node and of its Pods. Undefined: nothing shows which Pods are on it. */
export function localAddresses({ node, objects }: WalkNode): ReadonlySet<string> | undefined {
  const networks = [node.network, ...(objects === undefined ? [] : [objects.network])];
  const pods = networks.flatMap((network) => network.pods);
  if (pods.length === 0) return undefined;
  const names = new Set(networks.flatMap((network) => network.node ?? []));
  const isHere = (pod: (typeof pods)[number]) =>
    pod.interface !== undefined || (pod.node !== undefined && names.has(pod.node));
  return new Set([
    ...pods.filter(isHere).flatMap(({ ips }) => ips.map((ip) => canonicalIp(ip) ?? ip)),
    ...networks.flatMap(interfaceAddresses),
  ]);
}
