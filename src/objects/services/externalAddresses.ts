import { cidrContains } from '../../common/addresses/cidr.ts';
import { formatIp, parseIp } from '../../common/addresses/ip.ts';
import type { Model } from '../../model/model.ts';
import type { PolicyManifests } from '../../model/policyModel.ts';
import type { ObjectProblem } from '../objectProblem.ts';

/**
 * K8N509: external IPs that are an address of a node, whose own traffic to that port the Service then takes, or an
 * address of the internet, where Pods that mean somebody else reach the Service.
 */
export function externalAddresses(
  { node, servicePorts }: Pick<Model, 'node' | 'servicePorts'>,
  { nodes }: Pick<PolicyManifests, 'nodes'>,
): readonly ObjectProblem[] {
  const ofNodes = new Map(node.addresses.map((address) => [address, node.name]));
  for (const { value } of nodes) {
    for (const { address } of value.status?.addresses ?? []) {
      const ip = parseIp(address);
      if (ip) ofNodes.set(formatIp(ip), value.metadata.name);
    }
  }
  return servicePorts.flatMap(({ namespace, name, port, externalIPs, origin }) =>
    externalIPs.flatMap((ip): readonly ObjectProblem[] => {
      const owner = ofNodes.get(ip);
      if (owner === undefined && !isPublic(ip)) return [];
      const seen =
        owner === undefined
          ? `external IP ${ip} is a public address: what Pods and this node send to its port ${port} goes to the Service`
          : `external IP ${ip} is an address of node ${owner}: port ${port} of the node is shadowed`;
      return [{ code: 'K8N509', what: seen, service: `${namespace}/${name}`, places: [origin] }];
    }),
  );
}

/** Networks of the special-purpose registries (RFC 6890 and its updates) that are nobody's on the internet. */
const notPublic = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '2001:db8::/32',
  '3fff::/20',
] as const;

function isPublic(ip: string): boolean {
  // Of IPv6 only 2000::/3 is given out as global unicast.
  if (ip.includes(':') && !cidrContains('2000::/3', ip)) return false;
  return !notPublic.some((network) => cidrContains(network, ip));
}
