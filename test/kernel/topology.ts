import { addressInCidr } from '../../src/common/addressInCidr.ts';
import { cidrContains, parseCidr } from '../../src/common/cidr.ts';
import { type Namespace, openNamespace, type Sysctls } from './namespace.ts';
import { runIn } from './runIn.ts';

/** A network as data: nodes and outside hosts on one LAN, pods behind their nodes. Names are unique among all. */
export interface Topology {
  readonly nodes: readonly NodeMachine[];
  readonly pods: readonly PodMachine[];
  readonly hosts: readonly OutsideHost[];
  /** Pods each on a route of their own (the default), or on a bridge of the node (`cbr0`). */
  readonly podNetwork?: 'routed' | 'bridged';
}

export interface NodeMachine {
  readonly name: string;
  /** Without a length; the first of a family is the node's own. */
  readonly addresses: readonly string[];
  /** The first address of each that no pod has is the pods' gateway. */
  readonly podCidrs: readonly string[];
  readonly servers?: readonly Server[];
}

export interface PodMachine {
  readonly name: string;
  readonly node: string;
  readonly addresses: readonly string[];
  readonly servers?: readonly Server[];
}

export interface OutsideHost {
  readonly name: string;
  readonly addresses: readonly string[];
  /** The node that its packets to services and pods go to. */
  readonly gateway: string;
  readonly servers?: readonly Server[];
}

/** Something that answers with its name and the source it sees. */
export interface Server {
  readonly protocol: Protocol;
  readonly port: number;
  /** Default: the machine's name. A pod in the node's network is a server of the node. */
  readonly name?: string;
  /** Default: all of the machine's. */
  readonly address?: string;
}

export type Protocol = 'tcp' | 'udp' | 'sctp';

/** A topology that runs: one namespace a machine. */
export interface Lab {
  readonly topology: Topology;
  readonly machines: ReadonlyMap<string, Namespace>;
  readonly close: () => Promise<void>;
}

/** Makes all namespaces, wires them and starts the servers. Close it at the end; it also ends with this process. */
export async function openLab(topology: Topology): Promise<Lab> {
  const { nodes, pods, hosts } = topology;
  const [lan, ...others] = await Promise.all([
    openNamespace('LAN', hostSysctls),
    ...nodes.map(({ name }) => openNamespace(name, nodeSysctls(topology))),
    ...[...pods, ...hosts].map(({ name }) => openNamespace(name, hostSysctls)),
  ]);
  const machines = new Map(others.map((namespace) => [namespace.name, namespace]));
  const lab = {
    topology,
    machines,
    close: async () => {
      await Promise.all([lan, ...others].map((namespace) => namespace.close()));
    },
  };
  try {
    // A device arrives in a namespace by its process id, so the middle comes first.
    await configure(lan, lanCommands([...nodes, ...hosts], machines));
    await Promise.all(nodes.map((node) => configure(machine(lab, node.name), nodeCommands(lab, node))));
    await Promise.all([
      ...hosts.map((host) => configure(machine(lab, host.name), hostCommands(topology, host))),
      ...pods.map((pod) => configure(machine(lab, pod.name), podCommands(topology, pod))),
    ]);
    await Promise.all([...nodes, ...pods, ...hosts].map((place) => serve(machine(lab, place.name), place)));
  } catch (problem) {
    await lab.close();
    throw problem;
  }
  return lab;
}

export function machine(lab: Pick<Lab, 'machines'>, name: string): Namespace {
  const found = lab.machines.get(name);
  if (found === undefined) throw new Error(`the lab has no machine ${name}`);
  return found;
}

/** The addresses that a node's masquerading can give: its own, and the gateways of its pods. */
export function addressesOfNode(topology: Topology, node: NodeMachine): readonly string[] {
  return [...node.addresses, ...gatewaysOf(topology, node)];
}

/** ICMP errors are never limited: a limit turns a refusal into a timeout. Addresses of IPv6 are usable at once. */
const hostSysctls: Sysctls = {
  'net.ipv4.icmp_ratelimit': 0,
  'net.ipv4.icmp_ratemask': 0,
  'net.ipv6.icmp.ratelimit': 0,
  'net.ipv6.icmp.ratemask': '',
  'net.ipv6.conf.all.accept_dad': 0,
  'net.ipv6.conf.default.accept_dad': 0,
  'net.ipv6.conf.default.accept_ra': 0,
  'net.ipv4.conf.all.rp_filter': 0,
  'net.ipv4.conf.default.rp_filter': 0,
};

function nodeSysctls(topology: Topology): Sysctls {
  const bridging = { 'net.bridge.bridge-nf-call-iptables': 1, 'net.bridge.bridge-nf-call-ip6tables': 1 };
  return {
    ...hostSysctls,
    'net.ipv4.ip_forward': 1,
    'net.ipv6.conf.all.forwarding': 1,
    'net.ipv4.conf.all.send_redirects': 0,
    'net.ipv4.conf.default.send_redirects': 0,
    ...(topology.podNetwork === 'bridged' ? bridging : {}),
  };
}

async function configure(namespace: Namespace, commands: readonly string[]): Promise<void> {
  await runIn(namespace, ['ip', '-batch', '-'], `${commands.join('\n')}\n`);
}

function lanCommands(
  members: readonly { readonly name: string }[],
  machines: ReadonlyMap<string, Namespace>,
): readonly string[] {
  return [
    'link add lan type bridge',
    'link set lan up',
    ...members.flatMap(({ name }, index) => [
      `link add port${index} type veth peer name eth0 netns ${machine({ machines }, name).pid}`,
      `link set port${index} master lan up`,
    ]),
  ];
}

/** One's own addresses, and a route to every other machine on the LAN: addresses there need no common network. */
function lanAddresses(topology: Topology, self: NodeMachine | OutsideHost): readonly string[] {
  const peers = [...topology.nodes, ...topology.hosts].filter(({ name }) => name !== self.name);
  return [
    'link set eth0 up',
    ...self.addresses.map((address) => `address add ${host(address)} dev eth0${atOnce(address)}`),
    ...peers.flatMap((peer) =>
      peer.addresses.filter((address) => hasFamilyOf(self, address)).map((at) => `route add ${host(at)} dev eth0`),
    ),
  ];
}

function nodeCommands(lab: Lab, node: NodeMachine): readonly string[] {
  const { topology } = lab;
  const mine = topology.pods.filter((pod) => pod.node === node.name);
  const isBridged = topology.podNetwork === 'bridged';
  return [
    ...lanAddresses(topology, node),
    ...(isBridged ? bridgeCommands(topology, node) : []),
    ...mine.flatMap((pod, index) => {
      const device = `veth${index}`;
      const wire = `link add ${device} type veth peer name eth0 netns ${machine(lab, pod.name).pid}`;
      if (isBridged) {
        // kubelet's hairpin-veth mode: a pod reaches itself through its Service.
        return [wire, `link set ${device} master cbr0 up`, `link set ${device} type bridge_slave hairpin on`];
      }
      return [
        wire,
        `link set ${device} up`,
        ...pod.addresses.flatMap((address) => [
          `address add ${host(gatewayOf(topology, node, address))} dev ${device}${atOnce(address)}`,
          `route add ${host(address)} dev ${device}`,
        ]),
      ];
    }),
    ...remotePodRoutes(topology, node),
    ...defaultRoutes(topology, node),
  ];
}

function bridgeCommands(topology: Topology, node: NodeMachine): readonly string[] {
  return [
    'link add cbr0 type bridge',
    'link set cbr0 up',
    ...gatewaysOf(topology, node).map((gateway) => {
      const cidr = node.podCidrs.find((network) => cidrContains(network, gateway)) ?? '';
      return `address add ${gateway}/${cidr.split('/')[1]} dev cbr0${atOnce(gateway)}`;
    }),
  ];
}

function remotePodRoutes(topology: Topology, node: NodeMachine): readonly string[] {
  const nodes = new Map(topology.nodes.map((other) => [other.name, other]));
  return topology.pods.flatMap((pod) => {
    const home = nodes.get(pod.node);
    if (home === undefined || home === node) return [];
    return pod.addresses.flatMap((address) => {
      const via = home.addresses.find((own) => isIpv6(own) === isIpv6(address));
      return via !== undefined && hasFamilyOf(node, address) ? [`route add ${host(address)} via ${via}`] : [];
    });
  });
}

/** What a node does not know goes to the first outside host, which forwards nothing: so it vanishes silently. */
function defaultRoutes(topology: Topology, node: NodeMachine): readonly string[] {
  return [false, true].flatMap((wantsIpv6) => {
    if (!node.addresses.some((address) => isIpv6(address) === wantsIpv6)) return [];
    const outside = topology.hosts.flatMap(({ addresses }) => addresses).find((at) => isIpv6(at) === wantsIpv6);
    return [
      outside === undefined
        ? `route add ${wantsIpv6 ? '::/0' : '0.0.0.0/0'} dev eth0`
        : `route add default via ${outside} dev eth0 onlink`,
    ];
  });
}

function hostCommands(topology: Topology, outside: OutsideHost): readonly string[] {
  const gateway = topology.nodes.find(({ name }) => name === outside.gateway);
  if (gateway === undefined) throw new Error(`the gateway of ${outside.name} is no node: ${outside.gateway}`);
  const seen = new Set<boolean>();
  const vias = gateway.addresses.filter(
    (at) => hasFamilyOf(outside, at) && !seen.has(isIpv6(at)) && seen.add(isIpv6(at)),
  );
  return [...lanAddresses(topology, outside), ...vias.map((via) => `route add default via ${via} dev eth0 onlink`)];
}

function podCommands(topology: Topology, pod: PodMachine): readonly string[] {
  const node = topology.nodes.find(({ name }) => name === pod.node);
  if (node === undefined) throw new Error(`the node of ${pod.name} is none: ${pod.node}`);
  const isBridged = topology.podNetwork === 'bridged';
  const seen = new Set<boolean>();
  return [
    'link set eth0 up',
    ...pod.addresses.flatMap((address) => {
      const gateway = gatewayOf(topology, node, address);
      const length = node.podCidrs.find((cidr) => cidrContains(cidr, address))?.split('/')[1];
      const add = `address add ${isBridged && length ? `${address}/${length}` : host(address)} dev eth0${atOnce(address)}`;
      if (seen.has(isIpv6(address))) return [add];
      seen.add(isIpv6(address));
      return [add, `route add default via ${gateway} dev eth0 onlink`];
    }),
  ];
}

async function serve(namespace: Namespace, place: NodeMachine | PodMachine | OutsideHost): Promise<void> {
  const answers = await Promise.all(
    (place.servers ?? []).map(({ protocol, port, name = place.name, address = '-' }) =>
      namespace.ask('listen', protocol, address, port, name),
    ),
  );
  const failed = answers.find(([outcome]) => outcome !== 'ok');
  if (failed !== undefined) throw new Error(`a server of ${place.name}: ${failed.join(' ')}`);
}

function gatewaysOf(topology: Topology, node: NodeMachine): readonly string[] {
  const taken = new Set(topology.pods.flatMap(({ addresses }) => addresses));
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
function gatewayOf(topology: Topology, node: NodeMachine, podAddress: string): string {
  const index = node.podCidrs.findIndex((cidr) => cidrContains(cidr, podAddress));
  const gateway = gatewaysOf(topology, node)[index] ?? node.addresses.find((own) => isIpv6(own) === isIpv6(podAddress));
  if (gateway === undefined) throw new Error(`${node.name} has no address for the family of ${podAddress}`);
  return gateway;
}

function isIpv6(address: string): boolean {
  return address.includes(':');
}

function hasFamilyOf(place: { readonly addresses: readonly string[] }, address: string): boolean {
  return place.addresses.some((own) => isIpv6(own) === isIpv6(address));
}

function host(address: string): string {
  return `${address}/${isIpv6(address) ? 128 : 32}`;
}

/** An IPv6 address is no use before the kernel knows that its link is up, unless it need not look for doubles. */
function atOnce(address: string): string {
  return isIpv6(address) ? ' nodad' : '';
}
