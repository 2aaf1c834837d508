import type { Family } from '../../common/addresses/family.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { MigrationNode } from '../migrate/migrationSide.ts';

/**
 * If nothing shows an address of the node in a family that has rules, invents one: a node without an address sends
 * nothing.
 */
export function withAddresses({ node, objects, compiled }: MigrationNode, { plans }: Compiled): MigrationNode {
  const isIn = (network: NetworkFacts, family: Family) =>
    network.interfaces.some(
      ({ name, addresses }) =>
        isOrdinary(name) && addresses.some(({ cidr }) => cidr.includes(':') === (family === 'ipv6')),
    );
  const lacking = plans
    .filter(
      ({ family, services }) => services.length > 0 && !isIn(node.network, family) && !isIn(objects.network, family),
    )
    .map(({ family }) => ({ cidr: madeUpAddress[family] }));
  if (lacking.length === 0) return { node, objects, compiled };
  const added = (network: NetworkFacts): NetworkFacts => {
    const first = network.interfaces.find(({ name }) => isOrdinary(name));
    return {
      ...network,
      interfaces: network.interfaces.map((one) =>
        one === first ? { ...one, addresses: [...one.addresses, ...lacking] } : one,
      ),
    };
  };
  return {
    compiled,
    node: { ...node, network: added(node.network) },
    objects: { ...objects, network: added(objects.network) },
  };
}

function isOrdinary(device: string): boolean {
  return device !== 'lo' && device !== ipvsDevice;
}

/** From the ranges for documentation. */
const madeUpAddress: Readonly<Record<Family, string>> = { ipv4: '192.0.2.10/32', ipv6: '2001:db8:c0de::10/128' };
