import { cidrContains } from '../../common/addresses/cidr.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { gatewayOf, gatewaysOf } from './gateways.ts';
import type { LabNetwork, NodeMachine, OutsideHost, PodMachine } from './labNetwork.ts';

/** Lines for `ip -batch` that wire a network: first those of the LAN, then of each node, then of each pod and host. */
export interface Wiring {
  readonly lan: readonly string[];
  readonly nodes: ReadonlyMap<string, readonly string[]>;
  readonly others: ReadonlyMap<string, readonly string[]>;
}

/** A device arrives in a namespace by the id of a process there, which `pidOf` gives for a machine. */
export function wiringOf(network: LabNetwork, pidOf: (machine: string) => number): Wiring {
  const { nodes, pods, hosts } = network;
  return {
    lan: lanLines(
      [...nodes, ...hosts].map(({ name }) => name),
      pidOf,
    ),
    nodes: new Map(nodes.map((node) => [node.name, nodeLines(network, node, pidOf)])),
    others: new Map([
      ...hosts.map((host) => [host.name, hostLines(network, host)] as const),
      ...pods.map((pod) => [pod.name, podLines(network, pod)] as const),
    ]),
  };
}

type PidOf = (machine: string) => number;

function lanLines(members: readonly string[], pidOf: PidOf): readonly string[] {
  return [
    'link add lan type bridge',
    'link set lan up',
    ...members.flatMap((name, index) => [
      `link add port${index} type veth peer name eth0 address ${lanMac(index)} netns ${pidOf(name)}`,
      `link set port${index} master lan up`,
    ]),
  ];
}

/**
 * Everybody's neighbors are written down: nothing is lost while somebody asks who has an address, and the machine's own
 * table of neighbors, which all namespaces share, is not filled.
 */
function neighbour(address: string, mac: string, device: string): string {
  return `neigh add ${address} lladdr ${mac} dev ${device} nud permanent`;
}

/** Of the member of the LAN with this index, nodes first. */
function lanMac(index: number): string {
  return mac(0, 0, index);
}

/** Of a pod, by its place among those of its node (whose own place comes first), and of the node's end of its wire. */
function podMac(node: number, index: number): string {
  return mac(1, node, index);
}

function wireMac(node: number, index: number): string {
  return mac(2, node, index);
}

/** Locally administered. */
function mac(kind: number, group: number, index: number): string {
  const bytes = [0x02, kind, group >> 8, group & 0xff, index >> 8, index & 0xff];
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** One's own addresses, and a route to every other machine on the LAN: addresses there need no common network. */
function lanAddresses(network: LabNetwork, self: NodeMachine | OutsideHost): readonly string[] {
  const members = [...network.nodes, ...network.hosts];
  return [
    'link set eth0 up',
    ...self.addresses.map((address) => `address add ${hostCidr(address)} dev eth0${atOnce(address)}`),
    ...members.flatMap((peer, index) =>
      peer.name === self.name
        ? []
        : peer.addresses
            .filter((address) => hasFamilyOf(self, address))
            .flatMap((at) => [`route add ${hostCidr(at)} dev eth0`, neighbour(at, lanMac(index), 'eth0')]),
    ),
  ];
}

function nodeLines(network: LabNetwork, node: NodeMachine, pidOf: PidOf): readonly string[] {
  const mine = network.pods.filter((pod) => pod.node === node.name);
  const isBridged = network.podNetwork === 'bridged';
  const prefix = network.podInterfacePrefix ?? 'veth';
  const place = network.nodes.indexOf(node);
  return [
    ...lanAddresses(network, node),
    ...(isBridged ? bridgeLines(network, node) : []),
    ...mine.flatMap((pod, index) => {
      const device = `${prefix}${index}`;
      const far = `peer name eth0 address ${podMac(place, index)} netns ${pidOf(pod.name)}`;
      const wire = `link add ${device} address ${wireMac(place, index)} type veth ${far}`;
      if (isBridged) {
        // kubelet's hairpin-veth mode: a pod reaches itself through its Service.
        return [
          wire,
          `link set ${device} master ${bridgeOf(network)} up`,
          `link set ${device} type bridge_slave hairpin on`,
        ];
      }
      const gateways = new Set(pod.addresses.map((address) => gatewayOf(network, node, address)));
      return [
        wire,
        `link set ${device} up`,
        ...[...gateways].map((gateway) => `address add ${hostCidr(gateway)} dev ${device}${atOnce(gateway)}`),
        ...pod.addresses.flatMap((address) => [
          `route add ${hostCidr(address)} dev ${device}`,
          neighbour(address, podMac(place, index), device),
        ]),
      ];
    }),
    ...remotePodRoutes(network, node),
    ...defaultRoutes(network, node),
  ];
}

function bridgeOf({ bridge = 'cbr0' }: LabNetwork): string {
  return bridge;
}

function bridgeLines(network: LabNetwork, node: NodeMachine): readonly string[] {
  const bridge = bridgeOf(network);
  return [
    `link add ${bridge} type bridge`,
    `link set ${bridge} up`,
    ...gatewaysOf(network, node).map((gateway) => {
      const cidr = node.podCidrs.find((network) => cidrContains(network, gateway)) ?? '';
      return `address add ${gateway}/${cidr.split('/')[1]} dev ${bridge}${atOnce(gateway)}`;
    }),
  ];
}

function remotePodRoutes(network: LabNetwork, node: NodeMachine): readonly string[] {
  const nodes = new Map(network.nodes.map((other) => [other.name, other]));
  return network.pods.flatMap((pod) => {
    const home = nodes.get(pod.node);
    if (home === undefined || home === node) return [];
    return pod.addresses.flatMap((address) => {
      const via = home.addresses.find((own) => isIpv6(own) === isIpv6(address));
      return via !== undefined && hasFamilyOf(node, address) ? [`route add ${hostCidr(address)} via ${via}`] : [];
    });
  });
}

/**
 * What a node does not know goes to the first outside host, which forwards nothing: so it vanishes silently. A node with
 * a gateway hands it to that one, but what its own pod networks lack: that would come back.
 */
function defaultRoutes(network: LabNetwork, node: NodeMachine): readonly string[] {
  const gateway = network.nodes.find(({ name }) => name === node.gateway);
  const isBridged = network.podNetwork === 'bridged';
  const sinks = gateway === undefined || isBridged ? [] : node.podCidrs.map((cidr) => `route add blackhole ${cidr}`);
  return [false, true].flatMap((wantsIpv6) => {
    if (!node.addresses.some((address) => isIpv6(address) === wantsIpv6)) return [];
    const outside = (gateway?.addresses ?? network.hosts.flatMap(({ addresses }) => addresses)).find(
      (at) => isIpv6(at) === wantsIpv6,
    );
    return [
      outside === undefined
        ? `route add ${wantsIpv6 ? '::/0' : '0.0.0.0/0'} dev eth0`
        : `route add default via ${outside} dev eth0 onlink`,
      ...sinks.filter((line) => isIpv6(line) === wantsIpv6),
    ];
  });
}

function hostLines(network: LabNetwork, outside: OutsideHost): readonly string[] {
  const gateway = network.nodes.find(({ name }) => name === outside.gateway);
  if (gateway === undefined) throw new Error(`the gateway of ${outside.name} is no node: ${outside.gateway}`);
  const seen = new Set<boolean>();
  const vias = gateway.addresses.filter(
    (at) => hasFamilyOf(outside, at) && !seen.has(isIpv6(at)) && seen.add(isIpv6(at)),
  );
  return [...lanAddresses(network, outside), ...vias.map((via) => `route add default via ${via} dev eth0 onlink`)];
}

function podLines(network: LabNetwork, pod: PodMachine): readonly string[] {
  const node = network.nodes.find(({ name }) => name === pod.node);
  if (node === undefined) throw new Error(`the node of ${pod.name} is none: ${pod.node}`);
  const isBridged = network.podNetwork === 'bridged';
  const index = network.pods.filter((each) => each.node === node.name).indexOf(pod);
  const seen = new Set<boolean>();
  return [
    'link set eth0 up',
    ...pod.addresses.flatMap((address) => {
      const gateway = gatewayOf(network, node, address);
      const length = node.podCidrs.find((cidr) => cidrContains(cidr, address))?.split('/')[1];
      const add = `address add ${isBridged && length ? `${address}/${length}` : hostCidr(address)} dev eth0${atOnce(address)}`;
      if (seen.has(isIpv6(address))) return [add];
      seen.add(isIpv6(address));
      // On a bridge neighbors find each other.
      const known = isBridged ? [] : [neighbour(gateway, wireMac(network.nodes.indexOf(node), index), 'eth0')];
      return [add, `route add default via ${gateway} dev eth0 onlink`, ...known];
    }),
  ];
}

function isIpv6(address: string): boolean {
  return address.includes(':');
}

function hasFamilyOf(place: { readonly addresses: readonly string[] }, address: string): boolean {
  return place.addresses.some((own) => isIpv6(own) === isIpv6(address));
}

/** An IPv6 address is no use before the kernel knows that its link is up, unless it need not look for doubles. */
function atOnce(address: string): string {
  return isIpv6(address) ? ' nodad' : '';
}
