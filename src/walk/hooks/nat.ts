import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { nothing, onlyValue, single } from '../../common/ranges/valueSet.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import type { NatStep, NatTarget } from '../../netfilter/meaning.ts';
import { targetOf } from '../../netfilter/nft/meaning/statementMeaning.ts';
import { taken } from '../ask/answers.ts';
import { lookInto } from '../ask/lookInto.ts';
import { cached, type WalkContext } from '../context.ts';
import type { Binding, Flow, Packet } from '../flow.ts';
import { copyOfConnection, copyOfFlow, withPacket } from '../flowShape.ts';
import type { Hook, WalkRule } from '../input/walkInput.ts';
import { addressText } from '../values/text.ts';
import { selectAddress } from './selectAddress.ts';

/** The effect of a rule's translation on a flow. */
export type Translated =
  | { readonly kind: 'translated'; readonly flow: Flow; readonly action: string }
  /** The rule has no target for this packet: the next rule follows. */
  | { readonly kind: 'missed'; readonly flow: Flow }
  /** There is no address to translate to: the kernel drops the packet. */
  | { readonly kind: 'lost'; readonly flow: Flow; readonly action: string }
  | { readonly kind: 'unknown'; readonly flow: Flow; readonly text: string };

/**
 * Carries out DNAT, SNAT, MASQUERADE, REDIRECT, NETMAP: decides this half of the connection, and changes the packet.
 */
export function translate(
  flow: Flow,
  step: NatStep,
  hook: Hook,
  rule: WalkRule,
  context: WalkContext,
): readonly Translated[] {
  if (step.map === undefined) return toTarget(flow, step, step.target, hook, rule, context);
  const { key, elements } = step.map;
  const found = lookInto<NatTarget>(flow, key, elements, (element) => targetOf(element), rule, context);
  if (found === undefined) return [{ kind: 'unknown', flow, text: 'the map that the target comes from' }];
  return found.flatMap(({ flow: part, element }): readonly Translated[] =>
    element === undefined ? [{ kind: 'missed', flow: part }] : toTarget(part, step, element, hook, rule, context),
  );
}

/** The packet as conntrack translates it at a hook once its connection is decided. */
export function translated(flow: Flow, half: 'source' | 'destination'): Flow {
  const { connection } = flow;
  if (connection.state === 'invalid' || connection.state === 'untracked') return flow;
  const { sourceBinding, direction, original } = connection;
  // IPVS itself translates what it sends elsewhere.
  const destinationBinding = connection.ipvsServer === undefined ? connection.destinationBinding : undefined;
  if (direction === 'original') {
    const binding = half === 'source' ? sourceBinding : destinationBinding;
    if (binding?.isAddressUnknown) return withPacket(flow, { ...flow.packet, source: nothing });
    return binding === undefined ? flow : bindPacket(flow, half, binding);
  }
  if (original === undefined) return flow;
  // Replies go the other way round: the former source becomes the destination again.
  const binding = half === 'source' ? destinationBinding : sourceBinding;
  if (binding?.address === undefined && binding?.port === undefined && !binding?.isAddressUnknown) return flow;
  const packet: Packet =
    half === 'source'
      ? { ...flow.packet, source: original.destination, sourcePort: flow.packet.sourcePort && original.destinationPort }
      : {
          ...flow.packet,
          destination: original.source,
          destinationPort: flow.packet.destinationPort && original.sourcePort,
        };
  return withPacket(flow, packet);
}

/** The half of the connection is decided: no further rule is consulted. */
export function bound(flow: Flow, half: 'source' | 'destination', binding: Binding): Flow {
  const [next, connection] = [copyOfFlow(flow), copyOfConnection(flow.connection)];
  connection[half === 'source' ? 'sourceBinding' : 'destinationBinding'] = binding;
  next.connection = connection;
  return next;
}

function toTarget(
  flow: Flow,
  step: NatStep,
  target: NatTarget,
  hook: Hook,
  rule: WalkRule,
  context: WalkContext,
): readonly Translated[] {
  const half = halfOf(step, hook);
  switch (step.to) {
    case 'masquerade': {
      const towards = flow.nextHop ?? onlyValue(flow.packet.destination);
      const address = towards === undefined ? undefined : selectAddress(flow.outInterface, towards, context);
      if (address === undefined || !isShown(context)) return [withoutAddress(flow, step, context)];
      return overPorts(flow, half, address, target.ports, step, rule, `masquerade ${addressText(address)}`, context);
    }
    case 'redirect': {
      const address = redirectAddress(flow, hook, context);
      if (address === undefined)
        return [{ kind: 'lost', flow, action: `redirect: ${flow.inInterface} has no address` }];
      return overPorts(flow, half, address, target.ports, step, rule, undefined, context);
    }
    case 'netmap': {
      const address = target.addresses && netmapped(flow, half, target.addresses);
      return address === undefined
        ? [{ kind: 'unknown', flow, text: 'NETMAP of many addresses' }]
        : [bindTo(flow, half, address, undefined, step, undefined)];
    }
    case 'address': {
      const { addresses } = target;
      if (addresses === undefined)
        return overPorts(flow, half, undefined, target.ports, step, rule, undefined, context);
      const count =
        typeof addresses.first === 'bigint'
          ? Number(BigInt(addresses.last) - addresses.first) + 1
          : Number(addresses.last) - addresses.first + 1;
      if (count > mostTargets) return [{ kind: 'unknown', flow, text: `one of ${count} addresses` }];
      return Array.from({ length: count }, (_, at) => at).flatMap((at) => {
        const address = typeof addresses.first === 'bigint' ? addresses.first + BigInt(at) : addresses.first + at;
        const one = count === 1 ? flow : taken(flow, 1, count, { rule, kind: 'range', taken: true });
        return overPorts(one, half, address, target.ports, step, rule, undefined, context);
      });
    }
  }
}

/** Addresses of Services on kube-ipvs0 do not belong to the node if its interfaces were not given. */
function isShown(context: WalkContext): boolean {
  const { assumed, interfaces } = context.input.topology;
  if (!assumed.has('interfaces')) return true;
  return cached(context, isShown, () =>
    [...interfaces.values()].some(
      ({ name, addresses }) => name !== ipvsDevice && addresses.some(({ scope }) => scope !== 'host'),
    ),
  );
}

/** An interface without an address loses the packet; if no addresses were given, it has an unknown one. */
function withoutAddress(flow: Flow, step: NatStep, context: WalkContext): Translated {
  const device = flow.outInterface ?? 'the interface';
  if (!context.input.topology.assumed.has('interfaces')) {
    return { kind: 'lost', flow, action: `masquerade: ${device} has no address` };
  }
  const binding: Binding = { isAddressUnknown: true, ...(step.isRandom && { isPortDrawn: true }) };
  const isAnswer = flow.connection.direction === 'reply';
  const sent = isAnswer ? flow : withPacket(flow, { ...flow.packet, source: nothing });
  const whole = bound(sent, 'source', binding);
  return { kind: 'translated', flow: whole, action: `masquerade as the address of ${device}` };
}

const mostTargets = 64;

function halfOf(step: NatStep, hook: Hook): 'source' | 'destination' {
  if (step.to !== 'netmap') return step.half;
  return hook === 'prerouting' || hook === 'output' ? 'destination' : 'source';
}

/**
 * A packet whose port is in the range keeps it. Otherwise a destination gets the first free one (since Linux 5.0, which
 * took turns before); a source, or anything with `--random`, gets a random one: a few ports are ways of their own.
 */
function overPorts(
  flow: Flow,
  half: 'source' | 'destination',
  address: Value | undefined,
  ports: ValueRange | undefined,
  step: NatStep,
  rule: WalkRule,
  label: string | undefined,
  context: WalkContext,
): readonly Translated[] {
  const own = half === 'source' ? flow.packet.sourcePort : flow.packet.destinationPort;
  const count = ports === undefined ? 0 : Number(ports.last) - Number(ports.first) + 1;
  const isDrawn = step.isRandom || portFor(own && onlyValue(own), ports) === 'drawn';
  if (own === undefined || ports === undefined || !isDrawn || count === 1) {
    return [bindTo(flow, half, address, ports, step, label)];
  }
  if (half === 'destination' && !step.isRandom) {
    context.notes.notes.add('a range of ports: its first one is taken as free');
    return [bindTo(flow, half, address, { first: ports.first, last: ports.first }, step, label)];
  }
  if (count > mostPorts) return [bindTo(flow, half, address, ports, step, label)];
  return Array.from({ length: count }, (_, at) => {
    const port = Number(ports.first) + at;
    const one = taken(flow, 1, count, { rule, kind: 'range', taken: true });
    return bindTo(one, half, address, { first: port, last: port }, { ...step, isRandom: false }, label);
  });
}

const mostPorts = 16;

function bindTo(
  flow: Flow,
  half: 'source' | 'destination',
  address: Value | undefined,
  ports: ValueRange | undefined,
  step: NatStep,
  label: string | undefined,
): Translated {
  const current = flow.packet;
  const own = half === 'source' ? current.sourcePort : current.destinationPort;
  const port = portFor(own && onlyValue(own), ports);
  // Of ICMP it is the identifier.
  const hasPort = own !== undefined || current.icmp !== undefined;
  // A destination keeps its port if the rule names none.
  const isRandom = step.isRandom && (half === 'source' || ports !== undefined);
  const isPortDrawn = hasPort && (isRandom || (own !== undefined && port === 'drawn'));
  const kept = half === 'source' ? current.source : current.destination;
  const isChanged = address !== undefined && onlyValue(kept) !== address;
  const isOtherPort = typeof port === 'number' && own !== undefined && onlyValue(own) !== port;
  const binding: Binding = {
    ...(isChanged && { address }),
    ...(isOtherPort && { port }),
    ...(isPortDrawn && { isPortDrawn: true }),
  };
  // Replies are translated at the end of the hook, according to the other direction.
  const isAnswer = flow.connection.direction === 'reply';
  const whole = isAnswer ? bound(flow, half, binding) : bindPacket(bound(flow, half, binding), half, binding);
  const to = address === undefined ? '' : addressText(address);
  const shownPort = typeof port === 'number' && (isOtherPort || ports !== undefined) ? `:${port}` : '';
  const bracketed = shownPort !== '' && typeof address === 'bigint' ? `[${to}]` : to;
  const action = label ?? `${half === 'source' ? 'snat' : 'dnat'} ${bracketed}${shownPort}`;
  return { kind: 'translated', flow: whole, action };
}

/** The port that it gets: its own if it may keep it. */
function portFor(own: Value | undefined, ports: ValueRange | undefined): number | 'drawn' | undefined {
  if (ports === undefined) return undefined;
  if (ports.first === ports.last) return Number(ports.first);
  return own !== undefined && ports.first <= own && own <= ports.last ? Number(own) : 'drawn';
}

function bindPacket(flow: Flow, half: 'source' | 'destination', binding: Binding): Flow {
  const { packet } = flow;
  const { address, port } = binding;
  if (address === undefined && port === undefined) return flow;
  const ports = half === 'source' ? packet.sourcePort : packet.destinationPort;
  const newPorts = ports === undefined || port === undefined ? ports : single(port);
  const addresses = address === undefined ? packet[half] : single(address);
  return withPacket(
    flow,
    half === 'source'
      ? { ...packet, source: addresses, sourcePort: newPorts }
      : { ...packet, destination: addresses, destinationPort: newPorts },
  );
}

function redirectAddress(flow: Flow, hook: Hook, context: WalkContext): Value | undefined {
  const isV6 = typeof flow.packet.destination[0]?.first === 'bigint';
  if (hook === 'output') return isV6 ? 1n : 0x7f000001;
  const { interfaces, assumed } = context.input.topology;
  const known = interfaces.get(flow.inInterface ?? '')?.addresses ?? [];
  // An interface that was only assumed may have any address of the node.
  const isAssumed = known.length === 0 && assumed.has('interfaces');
  const addresses = isAssumed
    ? [...interfaces.values()].flatMap((one) => one.addresses).filter(isOfFamily(isV6))
    : known;
  return (addresses.find(({ scope }) => scope === 'global') ?? addresses[0])?.address;
}

function isOfFamily(isV6: boolean): (one: { readonly address: Value }) => boolean {
  return ({ address }) => (typeof address === 'bigint') === isV6;
}

function netmapped(flow: Flow, half: 'source' | 'destination', network: ValueRange): Value | undefined {
  const own = onlyValue(flow.packet[half]);
  if (own === undefined) return undefined;
  if (typeof own === 'bigint') return BigInt(network.first) + (own & (BigInt(network.last) - BigInt(network.first)));
  const size = Number(network.last) - Number(network.first) + 1;
  return Number(network.first) + (own % size);
}
