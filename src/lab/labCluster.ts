import { cidrContains } from '../common/addresses/cidr.ts';
import type { Family } from '../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../common/addresses/ip.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { EndpointHome } from '../pipeline/search/endpointHomes.ts';
import { type AddressPool, createAddressPool } from './network/addressPool.ts';
import { isMachineAddress } from './network/isMachineAddress.ts';
import type { LabServer } from './network/labNetwork.ts';
import { labServers } from './network/labServers.ts';

/** Somebody who sends or answers. */
export interface LabParty {
  readonly kind: 'pod' | 'node' | 'outside';
  /** As a probe names it: `shop/web-1`, an address where no Pod of the manifests has it, `node/n1`, `outside`. */
  readonly name: string;
  /** Name of the node that it is, or runs on. */
  readonly node?: string;
  /** Canonical, of both families. */
  readonly addresses: readonly string[];
  /** What listens there; each server is named as it is reached, `10.244.1.7:8080`. */
  readonly servers: readonly LabServer[];
}

export interface LabNode extends LabParty {
  readonly kind: 'node';
  readonly node: string;
  readonly podCidrs: readonly string[];
  /** The rules that manifests compile to are loaded there. */
  readonly hasRules: boolean;
}

/** Who there is, by the manifests. */
export interface LabCluster {
  /** The node that packets from outside come to. */
  readonly tested: LabNode;
  readonly families: readonly Family[];
  readonly nodes: readonly LabNode[];
  /** Pods, and endpoints that are no Pods, outside the cluster. */
  readonly parties: readonly LabParty[];
  /** The network of the invented clients next to them. */
  readonly pool: AddressPool;
}

/** Manifests compiled for each node that gets rules, the tested one first. */
export type CompiledNodes = readonly [Compiled, ...Compiled[]];

/**
 * Nodes, Pods and endpoints of manifests. What those leave open is made up: addresses of nodes, Pods of endpoints, a
 * second node where one is all.
 */
export function labCluster(compiled: CompiledNodes, told: ReadonlyMap<string, EndpointHome>): LabCluster {
  const [first] = compiled;
  const { node } = first.model;
  const model = readPolicyModel(first.policyManifests);
  const pool = createAddressPool(knownAddresses(compiled, model));
  const servers = labServers(first);
  const families = (['ipv4', 'ipv6'] as const).filter((family) =>
    node.addresses.some((ip) => isMachineAddress(ip) && familyOf(ip) === family),
  );
  const nodes = nodesOf(compiled, model, told, families, pool, servers);
  const tested = nodes.find((each) => each.node === node.name) as LabNode;
  const taken = new Set(nodes.flatMap(({ addresses }) => addresses));
  const parties: LabParty[] = [];
  const add = (kind: 'pod' | 'outside', name: string, home: string | undefined, addresses: readonly string[]) => {
    const own = addresses.filter((ip) => isMachineAddress(ip) && !taken.has(ip) && hasFamily(families, ip));
    for (const ip of own) taken.add(ip);
    if (own.length === 0) return;
    const listening = own.flatMap((address) => servers.get(address) ?? []);
    parties.push({ kind, name, ...(home !== undefined && { node: home }), addresses: own, servers: listening });
  };
  for (const { id, ips, isHostNetwork, node: home } of model.pods) {
    if (isHostNetwork) continue;
    const known = nodes.find((each) => each.node === home?.toLowerCase()) ?? homeByNetwork(ips, nodes) ?? tested;
    add('pod', id, known.node, ips);
  }
  for (const [address, home] of homesOfEndpoints(compiled, told, nodes)) {
    const pod = told.get(address)?.pod;
    const name = pod === undefined || parties.some((each) => each.name === pod) ? address : pod;
    add(home === undefined ? 'outside' : 'pod', name, home, [address]);
  }
  return { tested, families, nodes, parties, pool };
}

function hasFamily(families: readonly Family[], ip: string): boolean {
  const family = familyOf(ip);
  return family !== undefined && families.includes(family);
}

/** Those with rules first. */
function nodesOf(
  compiled: CompiledNodes,
  model: PolicyModel,
  told: ReadonlyMap<string, EndpointHome>,
  families: readonly Family[],
  pool: AddressPool,
  servers: ReadonlyMap<string, readonly LabServer[]>,
): readonly LabNode[] {
  const nodes = new Map<string, LabNode>();
  const add = (name: string, given: readonly string[], podCidrs: readonly string[], hasRules: boolean): void => {
    const usable = given.filter((ip) => isMachineAddress(ip) && hasFamily(families, ip));
    const addresses = usable.length > 0 ? usable : families.flatMap((family) => pool.forNode(family) ?? []);
    const ranges = podCidrs.filter((cidr) => hasFamily(families, cidr.split('/')[0] ?? ''));
    const listening = addresses.flatMap((address) => servers.get(address) ?? []);
    const named = { kind: 'node', name: `node/${name}`, node: name } as const;
    nodes.set(name, { ...named, addresses, podCidrs: ranges, hasRules, servers: listening });
  };
  for (const { model: own } of compiled) add(own.node.name, own.node.addresses, own.node.podCIDRs, true);
  for (const { name, ips, podCIDRs } of model.nodes) {
    if (!nodes.has(name.toLowerCase())) add(name.toLowerCase(), ips, podCIDRs, false);
  }
  // A cluster's Nodes, or those that its endpoints mention.
  for (const { node } of model.nodes.length > 0 ? [] : told.values())
    if (node && !nodes.has(node)) add(node, [], [], false);
  if (nodes.size === 1) add(nodes.has('other-node') ? 'another-node' : 'other-node', [], [], false);
  return [...nodes.values()];
}

function homeByNetwork(ips: readonly string[], nodes: readonly LabNode[]): LabNode | undefined {
  return nodes.find(({ podCidrs }) => podCidrs.some((cidr) => ips.some((ip) => cidrContains(cidr, ip))));
}

/**
 * The node of each endpoint: the one that the Pod belongs to, that of its network, any other if it is in the Pods'
 * range; otherwise none.
 */
function homesOfEndpoints(
  compiled: CompiledNodes,
  told: ReadonlyMap<string, EndpointHome>,
  nodes: readonly LabNode[],
): ReadonlyMap<string, string | undefined> {
  const homes = new Map<string, string | undefined>();
  const { config, servicePorts } = compiled[0].model;
  const away = nodes.find(({ hasRules }) => !hasRules) ?? nodes[1];
  for (const { ip } of servicePorts.flatMap(({ endpoints }) => endpoints)) {
    const address = canonicalIp(ip);
    if (address === undefined || homes.has(address)) continue;
    const home = told.get(address)?.node;
    const known = nodes.find(({ node }) => node === home) ?? homeByNetwork([address], nodes);
    const isPod = home !== undefined || config.clusterCIDRs.some((cidr) => cidrContains(cidr, address));
    homes.set(address, known?.node ?? (isPod ? away?.node : undefined));
  }
  return homes;
}

/** Every address that anything in the manifests has or asks for: no made-up one may be among them. */
function knownAddresses(compiled: CompiledNodes, { nodes, pods }: PolicyModel): readonly string[] {
  return [
    ...nodes.flatMap(({ ips }) => ips),
    ...pods.flatMap(({ ips }) => ips),
    ...compiled.flatMap(({ model }) => model.node.addresses),
    ...compiled[0].model.servicePorts.flatMap(({ clusterIP, externalIPs, loadBalancerIngress, endpoints }) => [
      clusterIP,
      ...externalIPs,
      ...loadBalancerIngress.map(({ ip }) => ip),
      ...endpoints.map(({ ip }) => canonicalIp(ip) ?? ip),
    ]),
  ];
}
