import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { hasPorts } from '../../trace/question/hasPorts.ts';
import type { WalkContext } from '../../walk/context.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import { isOfDummy } from '../shape/isOfDummy.ts';
import type { Mention } from '../shape/ruleMentions.ts';

/** An address and port that rules distinguish from others, or all other ports and protocols of an address. */
export interface Destination {
  readonly address: Value;
  readonly use: 'port' | 'other';
  /** Packets that represent it: one for a port; for the others one a protocol. */
  readonly protocolPorts: readonly ProtocolPort[];
}

export interface ProtocolPort {
  readonly protocol: number;
  /** Undefined: the protocol has no ports. */
  readonly port: number | undefined;
}

/**
 * The destinations that the rules of either side, and the node's own addresses, distinguish. A rule that only matches a
 * port counts at the node's addresses, where node ports are, and at one address of each other kind.
 */
export function destinationsOf(
  mentions: readonly Mention[],
  contexts: readonly [WalkContext, ...WalkContext[]],
): readonly Destination[] {
  const [context] = contexts;
  const isV6 = context.input.family === 'ipv6';
  const own = new Map<Value, Map<string, ProtocolPort>>();
  const anywhere = new Map<string, ProtocolPort>();
  const nodePorts = new Map<string, ProtocolPort>();
  const ranges: ValueRange[] = [];
  const portsOf = (address: Value) => {
    let ports = own.get(address);
    if (ports === undefined) {
      ports = new Map();
      own.set(address, ports);
    }
    return ports;
  };
  for (const { address, protocol, port, isNodePort, source } of mentions) {
    // Elements for one sender, such as those for endpoints that reach themselves, are handled with that sender.
    if (source !== undefined && source === address?.first) continue;
    if (address !== undefined && (typeof address.first === 'bigint') !== isV6) continue;
    const protocolPorts = protocolPortsOf(protocol, port, isV6);
    if (address === undefined) {
      for (const protocolPort of protocolPorts)
        (isNodePort ? nodePorts : anywhere).set(protocolPortKey(protocolPort), protocolPort);
    } else if (address.first === address.last) {
      const ports = portsOf(address.first);
      for (const protocolPort of protocolPorts) ports.set(protocolPortKey(protocolPort), protocolPort);
    } else {
      ranges.push(address);
    }
  }
  const ofNode = new Set(contexts.flatMap(nodeAddresses));
  for (const address of ofNode) portsOf(address);
  // An address that was left on kube-ipvs0 is local even if no rule matches it.
  for (const one of contexts) for (const address of dummyAddresses(one)) portsOf(address);
  const samples = samplesOf(ranges, own, context);
  for (const address of samples) portsOf(address);
  const isSample = new Set(samples);
  const destinations: Destination[] = [];
  for (const [address, ports] of own) {
    const isOwn =
      ofNode.has(address) || contexts.some((one) => isLocalAddress(address, one) && !isOfDummy(address, one));
    const all = isOwn
      ? new Map([...anywhere, ...nodePorts, ...ports])
      : isSample.has(address)
        ? new Map([...anywhere, ...ports])
        : ports;
    for (const protocolPort of all.values()) destinations.push({ address, use: 'port', protocolPorts: [protocolPort] });
    destinations.push({ address, use: 'other', protocolPorts: otherProtocolPorts(all, isV6) });
  }
  return destinations;
}

/** Ports that a rule matches: a range is represented by its ends. */
function protocolPortsOf(
  protocol: ValueRange | undefined,
  port: ValueRange | undefined,
  isV6: boolean,
): readonly ProtocolPort[] {
  const protocols =
    protocol === undefined ? (port === undefined ? [] : [6, 17, 132]) : protocolsIn(protocol).filter(isAsked(isV6));
  return protocols.flatMap((number): readonly ProtocolPort[] => {
    if (!hasPorts(number)) return port === undefined ? [{ protocol: number, port: undefined }] : [];
    if (port === undefined) return [];
    const [first, last] = [Number(port.first), Number(port.last)];
    return (first === last ? [first] : [first, last]).map((one) => ({ protocol: number, port: one }));
  });
}

function protocolsIn({ first, last }: ValueRange): readonly number[] {
  return first === last ? [Number(first)] : [6, 17, 132, 1, 58].filter((one) => first <= one && one <= last);
}

/** Protocols of the packets that are made here. */
function isAsked(isV6: boolean): (protocol: number) => boolean {
  const icmp = isV6 ? 58 : 1;
  return (protocol) => hasPorts(protocol) || protocol === icmp;
}

function protocolPortKey({ protocol, port }: ProtocolPort): string {
  return `${protocol} ${port ?? ''}`;
}

/** For each protocol a port that no rule matches at this address; and an echo request, unless a rule matches it. */
export function otherProtocolPorts(taken: ReadonlyMap<string, ProtocolPort>, isV6: boolean): readonly ProtocolPort[] {
  const used = new Set([...taken.values()].map(({ port }) => port));
  let port = 9;
  while (used.has(port)) port += 1;
  const icmp = isV6 ? 58 : 1;
  const ported = [6, 17, 132].map((protocol) => ({ protocol, port }));
  return taken.has(`${icmp} `) ? ported : [...ported, { protocol: icmp, port: undefined }];
}

/** Every address of the node, the first of 127.0.0.0/8, and those that IPVS mode keeps for Services. */
function nodeAddresses({ input }: WalkContext): readonly Value[] {
  const found = new Set<Value>();
  let hasDummy = false;
  for (const { table, type, destination, device } of input.topology.routes) {
    if (table !== 'local' || type !== 'local') continue;
    if (device === ipvsDevice) {
      if (hasDummy) continue;
      hasDummy = true;
    }
    const isNetwork = destination.first !== destination.last;
    if (isNetwork && typeof destination.first === 'number') found.add(destination.first + 1);
    else found.add(destination.first);
  }
  return [...found];
}

function dummyAddresses({ input }: WalkContext): readonly Value[] {
  return (input.topology.interfaces.get(ipvsDevice)?.addresses ?? []).map(({ address }) => address);
}

/**
 * One address of each network that rules match, one of the Pods here and one elsewhere, and one that nothing mentions.
 */
function samplesOf(
  ranges: readonly ValueRange[],
  known: ReadonlyMap<Value, unknown>,
  { input }: WalkContext,
): readonly Value[] {
  const { topology, family } = input;
  const networks = [
    ...ranges,
    ...topology.routes
      .filter(({ type, length }) => type === 'unicast' && length > 0)
      .map(({ destination }) => destination),
  ].filter(({ first, last }) => first !== last);
  const samples = new Set<Value>();
  const here = topology.pods.find(({ interface: device }) => device !== undefined)?.addresses[0];
  const there = topology.pods.find(({ interface: device }) => device === undefined)?.addresses[0];
  for (const pod of [here, there]) if (pod !== undefined) samples.add(pod);
  for (const { first, last } of networks) {
    if (isEverything(first, last)) continue;
    const address = freeAddress(first, last, known);
    if (address !== undefined) samples.add(address);
  }
  samples.add(family === 'ipv4' ? 0xcb007105 : (0x20010db8n << 96n) | 5n);
  return [...samples].filter((address) => !known.has(address));
}

function isEverything(first: Value, last: Value): boolean {
  return typeof first === 'bigint' ? BigInt(last) - first >= 1n << 127n : Number(last) - first >= 2 ** 31;
}

/** From the end of the network, where addresses are rarely used. */
function freeAddress(first: Value, last: Value, known: ReadonlyMap<Value, unknown>): Value | undefined {
  for (let step = 2; step < 40; step += 1) {
    const address = typeof last === 'bigint' ? last - BigInt(step) : last - step;
    if (address < first) return undefined;
    if (!known.has(address)) return address;
  }
  return undefined;
}
