import { formatIp, parseIp } from '../../common/ip.ts';
import type { Model } from '../../model/model.ts';
import type { PolicyManifests } from '../../pipeline/compile.ts';
import type { Finding } from '../finding.ts';
import { makeFinding } from './makeFinding.ts';

/** K8N509: external IPs that are an address of a node, whose own traffic to that port the Service then takes. */
export function externalAddressChecks(
  { node, servicePorts }: Pick<Model, 'node' | 'servicePorts'>,
  { nodes }: Pick<PolicyManifests, 'nodes'>,
): readonly Finding[] {
  const ofNodes = new Map(node.addresses.map((address) => [address, node.name]));
  for (const { value } of nodes) {
    for (const { address } of value.status?.addresses ?? []) {
      const ip = parseIp(address);
      if (ip) ofNodes.set(formatIp(ip), value.metadata.name);
    }
  }
  return servicePorts.flatMap(({ namespace, name, port, externalIPs, origin }) =>
    externalIPs.flatMap((ip) => {
      const owner = ofNodes.get(ip);
      if (owner === undefined) return [];
      const seen = `external IP ${ip} is an address of node ${owner}: port ${port} of the node is shadowed`;
      return [makeFinding('K8N509', { seen, service: `${namespace}/${name}`, expected: [origin] })];
    }),
  );
}
