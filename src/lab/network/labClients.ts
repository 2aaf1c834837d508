import type { Family } from '../../common/addresses/family.ts';
import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import type { CompiledNodes, LabCluster, LabNode, LabParty } from '../labCluster.ts';

/** Clients of a cluster's Services: invented ones, next to its nodes. */
export interface LabClients {
  /** A Pod of the tested node, and of another one: no policy selects them, no Service leads to them. */
  readonly pods: readonly LabParty[];
  /** `outside`, which is in no network of any Service, then one of each range that load balancers allow. */
  readonly hosts: readonly LabParty[];
}

export function labClients(cluster: LabCluster, compiled: CompiledNodes): LabClients {
  const { tested, nodes, families, pool } = cluster;
  const [{ model }] = compiled;
  const away = nodes.find(({ hasRules }) => !hasRules) ?? nodes.find((node) => node !== tested);
  const ranges = [...new Set(model.servicePorts.flatMap((port) => port.sourceRanges.map(({ network }) => network)))];
  const narrow = ranges.filter((network) => !network.endsWith('/0'));
  const inside = [...narrow, ...model.config.clusterCIDRs, ...nodes.flatMap(({ podCidrs }) => podCidrs)];
  const taken = new Set([...nodes, ...cluster.parties].flatMap(({ addresses }) => addresses));
  const outside = families.flatMap((family) => pool.outside(family, inside) ?? []);
  return {
    pods: [client(tested, 'pod', cluster), ...(away === undefined ? [] : [client(away, `pod/${away.node}`, cluster)])],
    hosts: [
      { kind: 'outside', name: 'outside', addresses: outside, servers: [] },
      ...narrow.flatMap((network): readonly LabParty[] => {
        const family = familyOf(network.split('/')[0] ?? '');
        // A range of one address may be that of a node or a Pod, which asks for itself.
        const only = canonicalIp(hostOfCidr(network));
        const address = only ?? pool.within(network);
        const isUsable = family !== undefined && families.includes(family) && address && !taken.has(address);
        if (!isUsable) return [];
        taken.add(address);
        return [{ kind: 'outside', name: `outside/${network}`, addresses: [address], servers: [] }];
      }),
    ],
  };
}

function client(node: LabNode, name: string, { families, pool }: LabCluster): LabParty {
  const ofNode = (family: Family) => node.podCidrs.find((cidr) => familyOf(cidr.split('/')[0] ?? '') === family);
  const addresses = families.flatMap((family) => {
    const cidr = ofNode(family);
    return (cidr === undefined ? pool.forPod(family) : pool.within(cidr)) ?? [];
  });
  return { kind: 'pod', name, node: node.node, addresses, servers: [] };
}
