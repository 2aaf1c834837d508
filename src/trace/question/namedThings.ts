import type { Family } from '../../common/addresses/family.ts';
import { onDemand } from '../../common/onDemand.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { Topology } from '../../walk/input/topology.ts';
import type { AskProblem } from './askProblem.ts';
import { familyOfValue } from './familyOfValue.ts';
import { partyMeant } from './partyMeant.ts';

/** What the names in a question stand for. */
export interface NamedThings {
  readonly podAddresses: (name: string) => readonly Value[];
  /** The node whose network the Pod shares (`hostNetwork`): it sends and receives as the node does. */
  readonly nodeOfHostPod: (name: string) => string | undefined;
  readonly serviceAddresses: (name: string) => readonly Value[];
  /** Whether anything names Services: rules of IPVS mode do not. */
  readonly hasServices: () => boolean;
  /** Ports of a Service: the one of this name or number, all without one. */
  readonly servicePorts: (name: string, port: string | undefined) => readonly NamedPort[];
  /** A Pod or Service, with the number of its port. */
  readonly find: (
    name: string,
    port: string | undefined,
    family: Family,
    of?: 'pod' | 'service',
  ) => { readonly address: Value; readonly port: number | undefined } | AskProblem;
  /** The names that were probably meant by a sender or receiver that `find` does not know, or that cannot be read. */
  readonly meant: (text: string, who?: 'sender') => string | undefined;
  readonly nodeAddress: (name: string, family: Family) => Value | undefined;
  readonly ownAddress: (family: Family, context: WalkContext) => Value | undefined;
  readonly outsideAddress: (family: Family) => Value;
}

/** A Service as objects describe it. */
export interface NamedService {
  readonly name: string;
  readonly addresses: readonly Value[];
  readonly ports: readonly NamedPort[];
}

export interface NamedPort {
  readonly name: string;
  readonly number: number;
  /** Undefined: the rules take every protocol. */
  readonly protocol: number | undefined;
}

/** An address and port of a Service as objects describe it. */
export interface NamedDestination {
  /** `namespace/name:port`. */
  readonly service: string;
  readonly kind: 'clusterIP' | 'externalIP' | 'loadBalancerIP' | 'nodePort';
  /** The Service port's node port, and its endpoints': each family has its own. */
  readonly family: Family;
  /** For a node port undefined: addresses of the node. */
  readonly address: Value | undefined;
  readonly protocol: number;
  readonly port: number;
  /** An address with ipMode Proxy: nodes have no rules for it, and send packets on to the load balancer. */
  readonly isLeftToBalancer?: boolean;
  /** An address of a load balancer whose loadBalancerSourceRanges hold the source, or which has none. */
  readonly admits?: (source: Value) => boolean;
  /** An endpoint is ready: anywhere, or on the node that rules are for. Undefined: that is unknown. */
  readonly isServed?: (where: 'any' | 'local') => boolean;
  /** All endpoints of the Service port, ready or not: `10.244.1.7:8080`. */
  readonly endpoints?: () => ReadonlySet<string>;
  /** Objects show that it has no endpoint: otherwise they may not be given. */
  readonly isWithoutAddress?: boolean;
}

/** The network in both families, as far as it is asked for. */
export interface KnownNetwork {
  readonly topologies: () => readonly Topology[];
  readonly hosts: () => Topology['hosts'];
}

/** A Pod of objects that shares the network of its node. */
export interface HostPod {
  /** `namespace/name`. */
  readonly name: string;
  readonly node: string | undefined;
  /** Of the node. */
  readonly addresses: readonly Value[];
}

/** Services of objects, and Pods that no network shows. */
export interface NamedServices {
  readonly services: readonly NamedService[];
  readonly hostPods?: () => readonly HostPod[];
  /** By `namespace/name`, why others get no rules. */
  readonly withoutRules?: ReadonlyMap<string, string>;
}

/** Names of Pods, nodes and hosts from the facts; of Services from objects, or from anything else that names them. */
export function namedThings(
  network: KnownNetwork,
  { services, hostPods, withoutRules }: NamedServices = { services: [] },
  further: () => readonly NamedService[] = () => [],
): NamedThings {
  // A comparison of all packets asks for no name, and a large cluster has a hundred thousand Pods: hostPods reads them again.
  const named = onDemand({
    pods: () => addressesByName(network.topologies().flatMap(({ pods }) => pods)),
    hosts: () => addressesByName(network.hosts()),
    hostPods: () => new Map(hostPods?.().map((pod) => [pod.name, pod])),
  });
  const addressesOf = (pod: string) => named.pods.get(pod) ?? named.hostPods.get(pod)?.addresses;
  const byName = new Map(services.map((service) => [service.name, service]));
  let found: ReadonlyMap<string, NamedService> | undefined;
  const others = () => {
    found ??= new Map(further().map((service) => [service.name, service]));
    return found;
  };
  const serviceOf = (name: string): NamedService | undefined => byName.get(name) ?? others().get(name);
  const hasServices = () => byName.size > 0 || others().size > 0;
  const serviceNames = () => [...byName.keys(), ...others().keys()];
  const ofFamily = (values: readonly Value[] | undefined, family: Family) =>
    values?.find((value) => familyOfValue(value) === family);
  return {
    podAddresses: (name) => addressesOf(name) ?? [],
    nodeOfHostPod: (name) => (named.pods.has(name) ? undefined : named.hostPods.get(name)?.node),
    serviceAddresses: (name) => serviceOf(name)?.addresses ?? [],
    hasServices,
    servicePorts: (name, port) => {
      const ports = serviceOf(name)?.ports ?? [];
      return port === undefined ? ports : portsOf(ports, port);
    },
    find: (name, port, family, of) => {
      const isPod = of === 'pod' || (of === undefined && !byName.has(name) && addressesOf(name) !== undefined);
      const service = isPod ? undefined : serviceOf(name);
      if (service !== undefined) return servicePort(service, port, ofFamily(service.addresses, family), family);
      const reason = isPod ? undefined : withoutRules?.get(name);
      if (reason !== undefined)
        return { kind: 'problem', message: `kube-proxy has no rules for this Service (${reason})` };
      const isNameless = !isPod && !hasServices();
      if (of === 'service')
        return {
          kind: 'problem',
          message: isNameless ? namelessServices : unknownService(name, serviceNames()),
          isUnknown: true,
        };
      const address = ofFamily(addressesOf(name) ?? named.pods.get(name.replace(/^default\//, '')), family);
      if (address === undefined) {
        if (of === 'pod' && named.pods.size === 0) {
          const message = 'nothing here shows Pods: give its address, or the objects of the cluster with -f';
          return { kind: 'problem', message };
        }
        const unknown = `no Pod or Service of this name with an ${family} address is known`;
        return { kind: 'problem', message: isNameless ? namelessServices : unknown, isUnknown: true };
      }
      const number = port === undefined ? undefined : Number(port);
      return Number.isNaN(number)
        ? { kind: 'problem', message: 'give the port of a Pod as a number' }
        : { address, port: number };
    },
    meant: (text, who) =>
      partyMeant(text, {
        services: who === 'sender' ? [] : serviceNames(),
        pods: [...named.pods.keys(), ...named.hostPods.keys()],
        nodes: [...named.hosts.keys(), ...network.topologies().flatMap(({ node }) => node ?? [])].filter(
          (name) => name !== 'outside' && name !== 'ext',
        ),
      }),
    nodeAddress: (name, family) => ofFamily(named.hosts.get(name), family),
    ownAddress: (family, { input }) => ofFamily(ownAddresses(input.topology), family),
    outsideAddress: (family) => {
      const known = [...named.hosts].find(([name]) => name === 'outside' || name === 'ext')?.[1];
      return ofFamily(known, family) ?? (family === 'ipv4' ? 0xcb007101 : (0x20010db8n << 96n) | 1n);
    },
  };
}

/** Without those of kube-ipvs0, which are of Services. */
function ownAddresses({ interfaces }: Topology): readonly Value[] {
  return [...interfaces.values()].flatMap(({ name, addresses }) =>
    name === ipvsDevice ? [] : addresses.flatMap(({ address, scope }) => (scope === 'global' ? address : [])),
  );
}

/** `google.com` reads as a name of DNS: Service `google` in the namespace `com`. */
function unknownService(name: string, known: readonly string[]): string {
  const namespace = name.slice(0, name.indexOf('/') + 1);
  return known.some((one) => one.startsWith(namespace))
    ? 'no Service of this name is known'
    : 'no Service of this name is known; a host outside the cluster goes by its address';
}

const namelessServices =
  'nothing here names Services: give the cluster IP and port, or the objects of the cluster with -f';

function servicePort(
  service: NamedService,
  port: string | undefined,
  address: Value | undefined,
  family: Family,
): { readonly address: Value; readonly port: number } | AskProblem {
  if (address === undefined) return { kind: 'problem', message: `the Service has no cluster IP of ${family}` };
  const [only, second] = service.ports;
  const found = port === undefined ? second === undefined && only : portsOf(service.ports, port)[0];
  if (found) return { address, port: found.number };
  const offered = service.ports
    .map(({ name, number }) => (name === '' ? String(number) : `${name} (${number})`))
    .join(', ');
  // A port that the Service lacks is still a fair question.
  if (port !== undefined && /^\d{1,5}$/.test(port)) return { address, port: Number(port) };
  return {
    kind: 'problem',
    message:
      port === undefined ? `which port? The Service has ${offered}` : `the Service has no port ${port}, but ${offered}`,
  };
}

function portsOf(ports: readonly NamedPort[], port: string): readonly NamedPort[] {
  return ports.filter(({ name, number }) => name === port || String(number) === port);
}

function addressesByName(
  all: readonly { readonly name: string; readonly addresses: readonly Value[] }[],
): ReadonlyMap<string, readonly Value[]> {
  const found = new Map<string, Value[]>();
  for (const { name, addresses } of all) {
    const known = found.get(name);
    if (known === undefined) found.set(name, [...addresses]);
    else known.push(...addresses);
  }
  return found;
}
