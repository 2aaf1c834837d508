import { type Family, familyNames } from '../common/addresses/family.ts';
import { hostCidr } from '../common/addresses/hostCidr.ts';
import { hostOfCidr } from '../common/addresses/hostOfCidr.ts';
import { isLoopbackIp } from '../common/addresses/ip.ts';
import { onDemand } from '../common/onDemand.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import { defaultMode } from '../common/proxy/proxyMode.ts';
import type { Value } from '../common/ranges/valueRange.ts';
import { fixNamesOf } from '../diff/fixNamesOf.ts';
import { absenceFinding } from '../findings/checks/absenceFinding.ts';
import { addressValue } from '../netfilter/addressRanges.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import type { NetworkFacts } from '../node/networkFacts.ts';
import type { NodeRules, ToolRules } from '../node/nodeRules.ts';
import { dnsCacheAddresses } from '../node/programs/dnsCacheAddresses.ts';
import { proxySeen } from '../seen/proxySeen.ts';
import { nodePortEntrances } from '../seen/settings/nodePortEntrances.ts';
import { podRangesOf } from '../seen/settings/podRangesOf.ts';
import type { AssumedPart } from '../walk/input/topology.ts';
import { hostsIn } from '../walk/input/topologyOf.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { walkInputOf } from '../walk/input/walkInputOf.ts';
import { isHostAddress } from '../walk/isHostAddress.ts';
import { endText } from '../walk/values/text.ts';
import type { BesideRules } from './known/besideRules.ts';
import { type CompletedNetwork, completedNetwork } from './known/completedNetwork.ts';
import { dnsCacheInterface } from './known/dnsCacheInterface.ts';
import { ipvsInterface } from './known/ipvsInterface.ts';
import { noConditions } from './known/noConditions.ts';
import { nodeAddressPerFamily } from './known/nodeAddressPerFamily.ts';
import { nodePortAddress } from './known/nodePortAddress.ts';
import { ruleEntrances } from './known/ruleEntrances.ts';
import { servicesOfRules } from './known/servicesOfRules.ts';
import { showsOwnAddress } from './known/showsOwnAddress.ts';
import type { TraceObjects } from './known/traceObjects.ts';
import { unreadPolicies } from './known/unreadPolicies.ts';
import { withOwnAddress } from './known/withOwnAddress.ts';
import { askPacket, type PacketQuestion } from './question/askPacket.ts';
import type { AskProblem } from './question/askProblem.ts';
import { familyAsked } from './question/familyAsked.ts';
import { type NamedDestination, type NamedThings, namedThings } from './question/namedThings.ts';
import type { NodePortsAt } from './question/nodePortsAt.ts';
import { protocolAsked } from './question/protocolAsked.ts';
import { readParty } from './question/readParty.ts';
import { routeBack } from './question/routeBack.ts';
import type { TracePacket } from './question/tracePacket.ts';
import { withProtocol } from './question/withProtocol.ts';
import { createEndpointFinder, type EndpointFinder } from './show/endpointFinder.ts';
import type { TraceResult } from './traceResult.ts';
import { createTracer, type Seen, type TraceConditions, type Tracer } from './tracer.ts';

/** Answers questions about packets on one node, of either family. */
export interface NodeTracer {
  readonly names: NamedThings;
  readonly tracerOf: (family: Family) => Tracer;
  readonly endpointNames: (family: Family) => EndpointFinder;
  /** `family`: of the addresses that names stand for, such as a node's; undefined: what objects or rules suggest. */
  readonly trace: (
    question: PacketQuestion,
    conditions?: Partial<TraceConditions>,
    family?: Family,
  ) => TraceResult | AskProblem;
  /** What `why` needs apart from the rules. */
  readonly known: (question: PacketQuestion, result: TraceResult) => BesideRules;
}

const families = ['ipv4', 'ipv6'] as const;

export function createNodeTracer(node: NodeRules, given?: TraceObjects): NodeTracer {
  const { mode, nodePortIPs: shownByRules } = proxySeen(node);
  const showsPrimary = modeFacts[mode ?? defaultMode].namedNodeAddresses === 'primary' && shownByRules.length > 0;
  const objects = (showsPrimary && withOwnAddress(node.network, given, shownByRules, 'as the rules show')) || given;
  const { whole, assumed, tracerOf } = tracersOf(node, objects);
  const own = onDemand({ addresses: () => addressesShown(node) });
  const shown = seenIn(whole);
  const shownFamilies = families.filter((family) => showsFamily(family, node, tracerOf));
  const onlyFamily = shownFamilies.length === 1 ? shownFamilies[0] : undefined;
  const inputs = () => families.map((family) => tracerOf(family).input);
  const known = {
    topologies: () => inputs().map(({ topology }) => topology),
    hosts: () => families.flatMap((family) => hostsIn(whole.network, family)),
  };
  const nodePorts = nodePortsOf(objects, tracerOf, () => own.addresses);
  const names = namedThings(known, objects, () => servicesOfRules(inputs()));
  const destinations = byDestination(objects?.destinations ?? []);
  return {
    names,
    tracerOf,
    known: ({ in: given }, result) => ({
      absence: absenceFinding(node),
      names: { ...fixNamesOf(node), ...objects?.fixNames },
      destination: destinations(result.packet, tracerOf(result.packet.family).input),
      hasObjects: objects?.destinations !== undefined,
      podRanges: podRangesOf(node, result.packet.family),
      hostPorts: objects?.hostPorts ?? [],
      closesNodePorts: objects?.closesNodePorts,
      routeTo: (address) => routeBack(address, tracerOf(result.packet.family).context(noConditions)),
      dnsCache: dnsCacheAddresses(node).flatMap((ip) => addressValue(ip) ?? []),
      givenSysctls: new Set([...node.network.sysctls.keys(), ...node.network.missingSysctls]),
      isInterfaceGiven: given !== undefined,
      otherPolicies: unreadPolicies(objects?.otherPolicies ?? [], node),
      judgePolicies: objects?.judgePolicies,
    }),
    endpointNames: (family) => createEndpointFinder(tracerOf(family).context(noConditions)),
    trace: (packet, conditions = {}, wanted) => {
      const { question: written, assumption } = behindProvider(withProtocol(packet), objects);
      const question = { ...written, proto: protocolAsked(written, names, nodePorts) };
      const family = familyAsked(question, wanted ?? objects?.family ?? onlyFamily, names, nodePorts);
      const tracer = tracerOf(family);
      if (tracer.input.tables.length === 0) return { kind: 'problem', message: withoutRules(family, shownFamilies) };
      const context = tracer.context(noConditions);
      const asked = askPacket(question, family, names, context);
      if (asked.kind === 'problem') {
        const addressed = isOfThisNode(question)
          ? withOwnAddress(node.network, given, nodeAddressPerFamily(own.addresses), becauseOf(own.addresses))
          : undefined;
        return addressed === undefined ? asked : createNodeTracer(node, addressed).trace(question, conditions, family);
      }
      const seen = [...shown, ...(conditions.seen ?? [])];
      const result = tracer.trace(asked.packet, { ...noConditions, ...conditions, seen });
      const addressAsked = nodePortAddress(result, tracer.input, own.addresses);
      const addressed = addressAsked === undefined ? undefined : withOwnAddress(whole.network, objects, [addressAsked]);
      if (addressed !== undefined) return createNodeTracer(node, addressed).trace(question, conditions, family);
      const granted = tookForGranted(assumed[family]);
      const taken = [...assumption, ...context.notes.assumed, ...tracer.input.assumed, ...granted];
      for (const text of taken) result.notes.assumed.add(text);
      return result;
    },
  };
}

/** IPVS mode has each node port at addresses of the node, which `shown` names. */
function nodePortsOf(
  objects: TraceObjects | undefined,
  tracerOf: NodeTracer['tracerOf'],
  shown: () => readonly string[],
): NodePortsAt {
  return (port) => {
    const ofNode = new Set(shown().map(addressValue));
    return [
      ...(objects?.destinations ?? []).filter((one) => one.kind === 'nodePort' && one.port === port),
      ...families.flatMap((family) =>
        ruleEntrances(tracerOf(family).input).flatMap(({ address, protocol, port: own }) =>
          own === port && (address === undefined || ofNode.has(address)) ? { family, protocol } : [],
        ),
      ),
    ];
  };
}

/** Addresses of the node on which its rules open node ports. */
function addressesShown(node: NodeRules): readonly string[] {
  const { mode = defaultMode, nodePortIPs } = proxySeen(node);
  const isOfRules = modeFacts[mode].namedNodeAddresses === 'none';
  const named = isOfRules ? node.iptables.flatMap((rules) => nodePortEntrances(rules).addresses) : nodePortIPs;
  return named.filter((ip) => !isLoopbackIp(ip));
}

function becauseOf(shown: readonly string[]): string | undefined {
  return shown.length === 0 ? undefined : `of which the rules show ${shown.join(' and ')}`;
}

/** What packets of each family are walked through: rules, and the network that the dump or objects show. */
function tracersOf(node: NodeRules, objects: TraceObjects | undefined) {
  const { network, assumed } = withDnsCache(completedNetwork(node.network, objects, shownSysctls(node)), node);
  const whole = { ...node, network: withIpvsAddresses(network, node) };
  const hidden = proxySeen(node).hidesServers;
  const tracers = new Map<Family, Tracer>();
  const tracerOf = (family: Family): Tracer => {
    const known = tracers.get(family);
    if (known !== undefined) return known;
    const input = { ...walkInputOf(whole, family, assumed[family]), ...(hidden && { hidesServers: true as const }) };
    // Known routes show where a Pod is.
    const podRanges = assumed[family].has('routes') ? podRangesOf(node, family) : [];
    const tracer = createTracer({ ...input, topology: { ...input.topology, podRanges } });
    tracers.set(family, tracer);
    return tracer;
  };
  return { whole, assumed, tracerOf };
}

/** The network of a family without rules is not worked out: a large cluster has a hundred thousand Pods. */
function showsFamily(family: Family, { iptables, nft }: NodeRules, tracerOf: NodeTracer['tracerOf']): boolean {
  if (holdsTables(iptables, family)) return true;
  return holdsTables(nft, family) && tracerOf(family).input.tables.length > 0;
}

function holdsTables(tools: readonly ToolRules[], family: Family): boolean {
  return tools.some((tool) => tool.family === family && tool.tables.size > 0);
}

function seenIn({ network }: NodeRules): readonly Seen[] {
  return network.seen.flatMap(({ list, ip, seconds }) => {
    const address = addressValue(ip);
    return address === undefined ? [] : [{ list, address, milliseconds: seconds * 1000 }];
  });
}

/** A packet to an ExternalIP of the node arrives with the node's own address as its destination. */
function behindProvider(
  question: PacketQuestion,
  objects: TraceObjects | undefined,
): { readonly question: PacketQuestion; readonly assumption: readonly string[] } {
  const party = readParty(question.to);
  const asked = party?.kind === 'address' ? party : undefined;
  const found = asked && objects?.externalIPs?.find(({ external }) => external === asked.address);
  const isOwn = objects?.network.interfaces.some(({ addresses }) =>
    addresses.some(({ cidr }) => addressValue(hostOfCidr(cidr)) === asked?.address),
  );
  if (asked === undefined || found === undefined || isOwn) return { question, assumption: [] };
  const [external, internal] = [endText(found.external, undefined), endText(found.internal, undefined)];
  return {
    question: { ...question, to: endText(found.internal, asked.port) },
    assumption: [
      `${external} is an ExternalIP of the node: the provider's network is taken to hand it over as ${internal}`,
    ],
  };
}

function withoutRules(family: Family, shown: readonly Family[]): string {
  const [other] = shown;
  if (other === undefined) return `there are no rules of ${familyNames[family]}`;
  const tool = family === 'ipv6' ? 'ip6tables-save' : 'iptables-save';
  return `there are no rules of ${familyNames[family]}, only of ${familyNames[other]}: add what ${tool}, or nft list ruleset, prints on the node`;
}

function isOfThisNode({ from }: PacketQuestion): boolean {
  const party = readParty(from);
  return party?.kind === 'node' && party.name === undefined;
}

/** Addresses of kube-ipvs0 are listed with the rules of IPVS mode, not with the interfaces. */
function withIpvsAddresses(network: NetworkFacts, node: NodeRules): NetworkFacts {
  if (network.interfaces.some(({ name }) => name === ipvsDevice)) return network;
  if (node.ipvs.length === 0 && node.addresses.length === 0 && !proxySeen(node).hidesServers) return network;
  const known = network.interfaces.flatMap(({ addresses }) => addresses.map(({ cidr }) => cidr.split('/')[0] ?? ''));
  // Addresses where every node port has a virtual server.
  const own = proxySeen(node).nodePortIPs.filter((ip) => !known.includes(ip));
  const dummy = ipvsInterface(node, [...known, ...own]);
  if (dummy === undefined) return network;
  // Nothing shows the node's interfaces: the first one that leads out has its addresses.
  const isBare = network.interfaces.every((one) => !showsOwnAddress(one) || one.addresses.length === 0);
  const interfaces = network.interfaces.map((one) =>
    isBare && one.name === 'eth0' ? { ...one, addresses: own.map((ip) => ({ cidr: hostCidr(ip) })) } : one,
  );
  return { ...network, interfaces: [...interfaces, dummy] };
}

/** Nothing shows the interfaces: rules of NodeLocal DNSCache show the addresses of one of them. */
function withDnsCache({ network, assumed }: CompletedNetwork, node: NodeRules): CompletedNetwork {
  const said = assumed.ipv4.get('interfaces');
  const cache = said === undefined ? undefined : dnsCacheInterface(node);
  if (cache === undefined) return { network, assumed };
  const ips = cache.addresses.map(({ cidr }) => hostOfCidr(cidr)).join(' and ');
  const known = `${said}; ${cache.name} with ${ips}, as the rules of NodeLocal DNSCache show`;
  const cacheSaid = ['interfaces', known] as const;
  return {
    network: { ...network, interfaces: [...network.interfaces, cache] },
    assumed: { ipv4: new Map([...assumed.ipv4, cacheSaid]), ipv6: new Map([...assumed.ipv6, cacheSaid]) },
  };
}

function tookForGranted(assumed: ReadonlyMap<AssumedPart, string>): readonly string[] {
  // Callers name each sysctl that they need.
  return [...assumed].filter(([part]) => part !== 'sysctls').map(([, text]) => text);
}

/** The Service port that a packet is for, by address and port; for node ports by the node's own addresses. */
function byDestination(
  all: readonly NamedDestination[],
): (packet: TracePacket, input: WalkInput) => NamedDestination | undefined {
  const keyOf = (address: Value | Family, protocol: number, port: number | undefined) =>
    `${address} ${protocol} ${port}`;
  let found: ReadonlyMap<string, NamedDestination> | undefined;
  return ({ family, destination, destinationPort, protocol }, input) => {
    found ??= new Map(all.map((one) => [keyOf(one.address ?? one.family, one.protocol, one.port), one]));
    const own = isHostAddress(destination, input) ? undefined : destination;
    return (
      found.get(keyOf(destination, protocol, destinationPort)) ??
      (own === undefined ? found.get(keyOf(family, protocol, destinationPort)) : undefined)
    );
  };
}

/** In iptables mode kube-proxy sets it if node ports answer on 127.0.0.1, which its rules show. */
function shownSysctls(node: NodeRules): ReadonlyMap<string, number> {
  const entrances = node.iptables.filter(({ family }) => family === 'ipv4').map(nodePortEntrances);
  const isOpen = entrances.some(({ excludesLoopback, isEverywhere }) => isEverywhere && !excludesLoopback);
  return new Map(isOpen ? [['net.ipv4.conf.all.route_localnet', 1]] : []);
}
