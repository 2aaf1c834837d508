import { isLoopbackIp } from '../common/addresses/ip.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import { askByDialect, type ByDialect } from '../dialect/dialect.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { NodePlan, Plan, ServicePlan } from '../plan/plan.ts';
import { servicePortName } from '../plan/servicePortName.ts';
import type { Topic } from './topic.ts';

/** What a NodePort opens, and where. */
export const nodePort: Topic = {
  kind: 'node',
  title: 'What a node port opens, and where',
  about: [
    'A Service of type NodePort or LoadBalancer has a port on every node of the cluster, also on those without its Pods. A connection to any of them is translated to an endpoint, on whichever node that is, as one to the cluster IP would be; the cluster IP goes on working.',
    'With externalTrafficPolicy Cluster the client address is replaced by that of the node, so that the answer comes back the same way. With Local it stays, and only nodes with an endpoint of their own answer.',
  ],
  ofServices: (services, plan, compiled) =>
    services
      .filter(({ port }) => port.nodePort > 0)
      .map((service) => ({
        heading: `${servicePortName(service.port)}: node port ${service.port.nodePort}/${service.protocol}`,
        lines: [...openOn(plan, compiled), goesTo(service), ...masquerading(service)],
      })),
};

function openOn({ node }: Plan, compiled: Compiled): readonly string[] {
  if (modeFacts[compiled.dialect.mode].passesThroughProxy) return ['open on every address of every node'];
  const isEverywhere = node.nodePorts.kind === 'anyLocal';
  const asked = node.nodePorts.kind === 'anyLocal' ? node.addresses : node.nodePorts.addresses;
  const open = asked.filter(
    (address) =>
      !isLoopbackIp(address) || askByDialect(opensLoopback, compiled.dialect, address, node, compiled.model.node),
  );
  const closed = node.addresses.filter((address) => !open.includes(address) && !isLoopbackIp(address));
  const here = open.length === 0 ? 'no address of this node' : `${open.join(', ')} of this node`;
  return [
    isEverywhere ? `open on every address of every node, here ${open.join(', ')}` : `open on ${here}`,
    ...(closed.length === 0 ? [] : [`not on ${closed.join(', ')}`]),
    ...(open.some(isLoopbackIp) ? [] : [notOnLoopback]),
  ];
}

/** IPv6 has no route_localnet; IPVS cannot send what comes from 127.0.0.1 to a Pod; nftables mode never tries. */
const opensLoopback: ByDialect<[address: string, node: NodePlan, facts: NodeFacts], boolean> = {
  iptables: (_, address, { usesLocalhostNodePorts }) => usesLocalhostNodePorts && address !== '::1',
  ipvs: ({ spelling }, address, { nodePorts }, { namedLoopback = [] }) =>
    spelling.opensLoopbackNodePorts && (nodePorts.kind === 'addresses' || namedLoopback.includes(address)),
  nftables: () => false,
  userspace: () => true,
};

const notOnLoopback = 'not on loopback addresses';

function goesTo({ external, cluster, local }: ServicePlan): string {
  if (external.kind === 'reject') return 'refused: the Service has no endpoint';
  if (external.kind === 'drop') return 'dropped on this node: the policy is Local, and no endpoint is here';
  const endpoints = external.over === 'local' ? local : cluster;
  const where = external.over === 'local' ? 'of this node' : 'on all nodes';
  return `leads to ${endpoints.length} endpoint${endpoints.length === 1 ? '' : 's'} ${where}`;
}

function masquerading({ external }: ServicePlan): readonly string[] {
  if (external.kind !== 'balance') return [];
  const words = {
    never: 'the Pod sees the client address',
    offCluster: 'the Pod sees the address of this node, unless the client is a Pod of it',
    always: 'the Pod sees the address of this node as its client',
  };
  return [words[external.masquerade]];
}
