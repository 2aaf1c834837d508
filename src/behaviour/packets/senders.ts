import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { cut, hasValue, union, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { InterfaceName } from '../../netfilter/meaning.ts';
import { interfaceTo } from '../../trace/question/interfaceTo.ts';
import type { WalkContext } from '../../walk/context.ts';
import { defaultDevice } from '../../walk/defaultDevice.ts';
import type { WalkPod } from '../../walk/input/topology.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import { podAt } from '../../walk/podAt.ts';
import { routesTo } from '../../walk/routing.ts';
import type { SenderKind } from './senderKinds.ts';

/** Senders that come in by the same interface, or the node itself. */
export interface Senders {
  readonly kind: SenderKind;
  /** All of them; none for the node, which chooses its address by the destination. */
  readonly sources: ValueSet;
  /** Those that represent others, the best known first. */
  readonly samples: readonly Value[];
  /** Undefined: the node itself. */
  readonly inInterface: string | undefined;
}

/**
 * The senders to a node according to its network: each way in, with the addresses behind it. Pods whose interfaces no
 * rule distinguishes are one group. `interfaces` are the names that rules match, `ranges` the networks of Pods that
 * they know. An address that belongs to the node by one of the `others`, such as a Service's in IPVS mode, sends from
 * nowhere else.
 */
export function sendersOf(
  context: WalkContext,
  interfaces: readonly InterfaceName[],
  ranges: readonly ValueRange[],
  others: readonly WalkContext[] = [],
): readonly Senders[] {
  const { topology } = context.input;
  const pods = topology.pods.filter(({ addresses }) => addresses.length > 0);
  const isHere = (pod: WalkPod) =>
    pod.interface !== undefined || (pod.node !== undefined && pod.node === topology.node);
  const here = pods.filter(isHere);
  const there = pods.filter((pod) => !isHere(pod));
  const outsiders = topology.hosts.filter(({ name }) => isOutside(name));
  const nodes = topology.hosts.filter(({ name }) => !isOutside(name));
  const hosts = new Set(nodes.flatMap(({ addresses }) => addresses));
  const remote = remoteNetworks(hosts, context);
  const remoteSet = union([...there.flatMap(({ addresses }) => addresses).map(only), ...remote]);
  const localSet = union(here.flatMap(({ addresses }) => addresses).map(only));
  const world = outsideOf([...remoteSet, ...localSet, ...[...hosts].map(only), ...ranges], [context, ...others]);
  // Without facts it is unknown which Pods are here: any address of their networks represents them.
  const anyPods = pods.length > 0 ? [] : union(ranges);
  return [
    { kind: 'node', sources: [], samples: [], inInterface: undefined },
    ...entrancesBy(
      'pod',
      localSet,
      here.flatMap(({ addresses }) => addresses),
      context,
      interfaces,
    ),
    ...entrancesBy('pod', anyPods, [], context, interfaces),
    ...entrancesBy(
      'remote-pod',
      remoteSet,
      there.flatMap(({ addresses }) => addresses),
      context,
      interfaces,
    ),
    ...entrancesBy('other-node', union([...hosts].map(only)), [...hosts], context, interfaces),
    ...outsideEntrances(
      world,
      outsiders.flatMap(({ addresses }) => addresses),
      context,
      interfaces,
    ),
  ];
}

/** Endpoints of a Service as separate senders, here and elsewhere. */
export function endpointSenders(address: Value, context: WalkContext): Senders | undefined {
  if (isLocalAddress(address, context)) return undefined;
  const pod = podAt(address, context);
  const isHere = pod?.interface !== undefined || (pod?.node !== undefined && pod.node === context.input.topology.node);
  const inInterface = interfaceTo(address, context);
  return { kind: isHere ? 'endpoint' : 'remote-endpoint', sources: [only(address)], samples: [address], inInterface };
}

/** How facts name hosts that are not nodes. */
function isOutside(name: string): boolean {
  return /^(?:outside|inside|ext)\b/.test(name);
}

function only(value: Value): ValueRange {
  return { first: value, last: value };
}

/** Networks that are reached through another node: its Pods. */
function remoteNetworks(hosts: ReadonlySet<Value>, { input }: WalkContext): readonly ValueRange[] {
  return input.topology.routes
    .filter(({ via, length, type }) => type === 'unicast' && length > 0 && via !== undefined && hosts.has(via))
    .map(({ destination }) => destination);
}

/** Addresses that come in by no other entrance: behind the default route, and neighbors on the node's networks. */
function outsideOf(known: readonly ValueRange[], contexts: readonly WalkContext[]): ValueSet {
  const isV6 = contexts[0]?.input.family === 'ipv6';
  // Senders whose packets the kernel refuses: 0/8, 127/8, 224/3; ::, ::1, link-local and multicast.
  const sensible: ValueSet = isV6
    ? [{ first: 0x2000n << 112n, last: (0xfe00n << 112n) - 1n }]
    : [
        { first: 0x01000000, last: 0x7effffff },
        { first: 0x80000000, last: 0xdfffffff },
      ];
  const own = contexts
    .flatMap(({ input }) => input.topology.routes)
    .filter(({ table, type }) => table === 'local' && (type === 'local' || type === 'broadcast'))
    .map(({ destination }) => destination);
  return cut(sensible, union([...known, ...own])).outside;
}

function outsideEntrances(
  world: ValueSet,
  named: readonly Value[],
  context: WalkContext,
  interfaces: readonly InterfaceName[],
): readonly Senders[] {
  const sample = context.input.family === 'ipv4' ? 0xcb007107 : (0x20010db8n << 96n) | 7n;
  const samples = named.length > 0 ? named : [sample];
  return entrancesBy('outside', world, samples, context, interfaces);
}

/** Senders by the interface that they arrive on, according to the routes back to them. */
function entrancesBy(
  kind: SenderKind,
  sources: ValueSet,
  samples: readonly Value[],
  context: WalkContext,
  interfaces: readonly InterfaceName[],
): readonly Senders[] {
  if (sources.length === 0) return [];
  const groups = new Map<string, { device: string | undefined; ranges: ValueRange[] }>();
  for (const { destinations, route } of routesTo({ destinations: sources, source: sources, mark: 0 }, context)) {
    if (route !== undefined && route.type !== 'unicast') continue;
    const device = bridgeOf(route?.device ?? defaultDevice(destinations, context), context);
    const key = interfaces.map(({ text, isPrefix }) => (isPrefix ? device?.startsWith(text) : device === text)).join();
    const isBridge = context.input.topology.interfaces.get(device ?? '')?.isBridge === true;
    const name = isBridge || kind === 'outside' ? `${device}` : key;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { device, ranges: [...destinations] });
    else for (const range of destinations) group.ranges.push(range);
  }
  return [...groups.values()].map(({ device, ranges }): Senders => {
    const set = union(ranges);
    return { kind, sources: set, samples: samples.filter((one) => hasValue(set, one)), inInterface: device };
  });
}

function bridgeOf(device: string | undefined, { input }: WalkContext): string | undefined {
  return input.topology.interfaces.get(device ?? '')?.bridge ?? device;
}
