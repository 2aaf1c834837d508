import { cidrContains } from '../../src/common/addresses/cidr.ts';
import { formatIp, parseIp } from '../../src/common/addresses/ip.ts';
import type {
  LabNetwork,
  LabServer,
  NodeMachine,
  OutsideHost,
  PodMachine,
  SocketProtocol,
} from '../../src/lab/network/labNetwork.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { compileCase } from '../support/compileCase.ts';

/** A folder of `fixtures/services` as a lab: its artefacts for one node, and the network that its manifests speak of. */
export interface CompiledScenario {
  readonly compiled: Compiled;
  /** The node that the rules are for. */
  readonly node: NodeMachine;
  /** Its nodes, and a pod for every endpoint, named by its address; host-network endpoints are servers of their node. */
  readonly network: LabNetwork;
  /** The text of an artefact, `iptables.v4.restore`; empty: there is none. */
  readonly text: (name: string) => string;
}

/** What a test adds to the manifests' network: pods as clients, and hosts outside. A family that the node lacks is left out. */
export interface Additions {
  /** Further addresses of the node, `192.168.99.1/24`. */
  readonly nodeAddresses?: readonly string[];
  readonly pods?: readonly PodMachine[];
  readonly hosts?: readonly OutsideHost[];
}

export async function compileScenario(
  name: string,
  mode: 'iptables' | 'ipvs' | 'nftables',
  additions: Additions = {},
  kubeVersion = '1.30',
): Promise<CompiledScenario> {
  const { nodeAddresses = [] } = additions;
  const { compiled, text } = await compileCase(
    `services/${name}`,
    ...['--kube-version', kubeVersion, '--mode', mode],
    ...nodeAddresses.flatMap((cidr) => ['--node-address', cidr]),
  );
  if (compiled === undefined) throw new Error(`services/${name} does not compile`);
  const servers = endpointServers(compiled);
  const further = nodeAddresses.map((cidr) => cidr.replace(/\/.*/, ''));
  const nodes = nodesOf(compiled).map((node) => ({
    ...node,
    addresses: node.name === compiled.model.node.name ? [...node.addresses, ...further] : node.addresses,
    servers: node.addresses.flatMap((address) => servers.get(address) ?? []),
  }));
  const own = nodes.find((node) => node.name === compiled.model.node.name);
  if (own === undefined) throw new Error(`services/${name} has no node ${compiled.model.node.name}`);
  const pods = [...servers].flatMap(([address, ports]) => {
    const home = nodes.find(({ podCidrs }) => podCidrs.some((cidr) => cidrContains(cidr, address)));
    return home === undefined ? [] : [{ name: address, node: home.name, addresses: [address], servers: ports }];
  });
  const hasFamily = (address: string) => own.addresses.some((other) => isIpv6(other) === isIpv6(address));
  const usable = <T extends PodMachine | OutsideHost>(machines: readonly T[] = []) =>
    machines
      .map((machine) => ({ ...machine, addresses: machine.addresses.filter(hasFamily) }))
      .filter(({ addresses }) => addresses.length > 0);
  return {
    compiled,
    node: own,
    network: { nodes, pods: [...pods, ...usable(additions.pods)], hosts: usable(additions.hosts) },
    text,
  };
}

/** Every endpoint address, ready or not, with its ports; each answers by its address. */
function endpointServers(compiled: Compiled): ReadonlyMap<string, readonly LabServer[]> {
  const servers = new Map<string, LabServer[]>();
  for (const { protocol, endpoints } of compiled.model.servicePorts) {
    for (const { ip, port } of endpoints) {
      const address = canonical(ip);
      const ports = servers.get(address) ?? [];
      servers.set(address, ports);
      const server = { protocol: protocol.toLowerCase() as SocketProtocol, port, name: address, address };
      if (!ports.some((other) => other.protocol === server.protocol && other.port === port)) ports.push(server);
    }
  }
  return servers;
}

function nodesOf(compiled: Compiled): readonly NodeMachine[] {
  const nodes = compiled.policyManifests.nodes.map(({ value }) => ({
    name: value.metadata.name,
    addresses: (value.status?.addresses ?? []).map(({ address }) => address).filter((text) => parseIp(text)),
    podCidrs: value.spec?.podCIDRs ?? [],
  }));
  const { name, ip, podCIDRs } = compiled.model.node;
  if (nodes.some((node) => node.name === name)) return nodes;
  return [
    { name, addresses: Object.values(ip).filter((at) => at !== '127.0.0.1' && at !== '::1'), podCidrs: podCIDRs },
  ];
}

function isIpv6(address: string): boolean {
  return address.includes(':');
}

function canonical(address: string): string {
  const ip = parseIp(address);
  return ip === undefined ? address : formatIp(ip);
}
