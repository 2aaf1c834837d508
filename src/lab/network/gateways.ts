import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { cidrContains, parseCidr } from '../../common/addresses/cidr.ts';
import type { LabNetwork, NodeMachine } from './labNetwork.ts';

/** The address of a node that the pods of each of its networks send to: the first that no pod has. */
export function gatewaysOf(network: LabNetwork, node: NodeMachine): readonly string[] {
  const taken = new Set(network.pods.flatMap(({ addresses }) => addresses));
  return node.podCidrs.map((text) => {
    const cidr = parseCidr(text);
    for (let offset = 1; cidr !== undefined; offset += 1) {
      const address = addressInCidr(cidr, offset);
      if (address === undefined) break;
      if (!taken.has(address)) return address;
    }
    throw new Error(`pod CIDR of ${node.name}: no free address in ${text}`);
  });
}

/** That of the pod's network, or the node's own for a pod outside all of them. */
export function gatewayOf(network: LabNetwork, node: NodeMachine, podAddress: string): string {
  const index = node.podCidrs.findIndex((cidr) => cidrContains(cidr, podAddress));
  const isV6 = podAddress.includes(':');
  const gateway = gatewaysOf(network, node)[index] ?? node.addresses.find((own) => own.includes(':') === isV6);
  if (gateway === undefined) throw new Error(`${node.name} has no address for the family of ${podAddress}`);
  return gateway;
}
