import type { Value } from '../common/ranges/valueRange.ts';
import { onlyValue } from '../common/ranges/valueSet.ts';
import { narrowed } from './ask/narrow.ts';
import type { WalkContext } from './context.ts';
import type { Flow } from './flow.ts';
import { copyOfFlow } from './flowShape.ts';
import { type Ended, type Station, walkHook } from './hooks/walkHook.ts';
import type { WalkRoute } from './input/topology.ts';
import { isLocalAddress } from './isLocalAddress.ts';
import { podAt } from './podAt.ts';
import { routesTo, routeTo } from './routing.ts';
import { sysctl } from './sysctl.ts';
import { addressText } from './values/text.ts';

/**
 * The way of packets that come in by an interface: the device's own chains, PREROUTING, routing, then INPUT or FORWARD and
 * POSTROUTING.
 */
export function receive(flow: Flow, context: WalkContext): readonly Ended[] {
  const { alive, ended } = walkHook('ingress', flow, context);
  return [...ended, ...alive.flatMap((one) => afterIngress(one, context))];
}

function afterIngress(flow: Flow, context: WalkContext): readonly Ended[] {
  if (flow.inPort !== undefined && flow.isBridged && !usesBridgeRules(flow, context)) {
    return [{ flow, end: { kind: 'bridged' } }];
  }
  const { alive, ended } = walkHook('prerouting', flow, context);
  return [...ended, ...alive.flatMap((one) => afterPrerouting(one, context))];
}

/** The way of packets of the node itself, whose route is already chosen. */
export function send(flow: Flow, context: WalkContext): readonly Ended[] {
  const { alive, ended, taken } = walkHook('output', flow, context, (before, after, station) =>
    needsRoute(before, after, station) ? reroute(after, context) : after,
  );
  return [
    ...ended,
    ...taken.flatMap((one) => sendToServer(one, context)),
    ...alive.flatMap((one) => postrouting(withNewRoute(one), context)),
  ];
}

/** A local packet with the device and source address that the kernel chooses for it; undefined: it cannot be sent. */
export function routedOut(flow: Flow, context: WalkContext): Flow | Ended {
  const route = routeTo(
    { destinations: flow.packet.destination, source: flow.packet.source, mark: flow.mark },
    context,
  );
  const why = routeProblem(route);
  if (route === undefined || why !== undefined) return unroutable(flow, why ?? 'no route');
  return towards(flow, route.type === 'local' ? 'lo' : route.device, route.via);
}

/** Out of a device, by a router or straight to its destination. */
function towards(flow: Flow, device: string | undefined, via: Value | undefined): Flow {
  const next = copyOfFlow(flow);
  next.outInterface = device;
  next.nextHop = via ?? onlyValue(flow.packet.destination);
  return next;
}

function unroutable(flow: Flow, why: string): Ended {
  return { flow, end: { kind: 'unroutable', why } };
}

/** Bridge ports hand packets to the rules of IP. */
export function usesBridgeRules(flow: Flow, context: WalkContext): boolean {
  const isV6 = typeof flow.packet.source[0]?.first === 'bigint';
  const name = isV6 ? 'net.bridge.bridge-nf-call-ip6tables' : 'net.bridge.bridge-nf-call-iptables';
  return sysctl(name, context) === 1;
}

function afterPrerouting(flow: Flow, context: WalkContext): readonly Ended[] {
  const question = {
    destinations: flow.packet.destination,
    source: flow.packet.source,
    mark: flow.mark,
    iif: flow.inInterface,
  };
  return routesTo(question, context).flatMap(({ destinations, route }): readonly Ended[] => {
    const isWhole = destinations === flow.packet.destination;
    const part = isWhole ? flow : narrowed(flow, { kind: 'packet', dimension: 'destination' }, destinations);
    const why = flow.leg === 2 ? undefined : inputProblem(part, route, context);
    if (why !== undefined) return [unroutable(part, why)];
    if (flow.isBridged) return bridged(part, route, context);
    if (route === undefined) return [unroutable(part, 'no route')];
    if (route.type === 'local' || route.type === 'broadcast') return deliver(part, context);
    return forward(part, route, context);
  });
}

function deliver(flow: Flow, context: WalkContext): readonly Ended[] {
  const { alive, ended, taken } = walkHook('input', { ...flow, outInterface: undefined }, context);
  return [
    ...ended,
    ...taken.flatMap((one) => sendToServer(one, context)),
    ...alive.map((one): Ended => ({ flow: one, end: { kind: 'delivered' } })),
  ];
}

/** IPVS chose a server: the packet goes out like one of the node, from OUTPUT on. */
function sendToServer(flow: Flow, context: WalkContext): readonly Ended[] {
  const routed = routedOut({ ...flow, inInterface: flow.inInterface }, context);
  if ('end' in routed) return [routed];
  // Only the filter chains: conntrack and NAT of this hook are done, or do nothing for a packet on its way.
  const { alive, ended } = walkHook('output', { ...routed, newRoute: undefined }, context);
  return [...ended, ...alive.flatMap((one) => postrouting(one, context))];
}

function forward(flow: Flow, route: WalkRoute, context: WalkContext): readonly Ended[] {
  const device = route.device;
  if (route.hasMoreHops)
    context.notes.assumed.add(`several next hops to ${destinationText(flow)}: the first is followed`);
  const bridge = context.input.topology.interfaces.get(flow.inInterface ?? '')?.isBridge === true;
  // What PREROUTING translated to another port of the same bridge stays on the bridge.
  const isBackOnBridge = bridge && device === flow.inInterface && route.via === undefined;
  if (isBackOnBridge && flow.inPort !== undefined && usesBridgeRules(flow, context)) {
    return overBridge(towards(flow, device, route.via), context);
  }
  if (!isForwarding(flow, context)) return [unroutable(flow, 'forwarding off')];
  const { alive, ended } = walkHook('forward', towards(flow, device, route.via), context);
  return [...ended, ...alive.flatMap((one) => postrouting(one, context))];
}

/** From port to port of one bridge; the rules of IP see it. */
function bridged(flow: Flow, route: WalkRoute | undefined, context: WalkContext): readonly Ended[] {
  if (route?.type === 'local') return deliver({ ...flow, isBridged: false }, context);
  if (route !== undefined && route.device !== flow.inInterface)
    return forward({ ...flow, isBridged: false }, route, context);
  return overBridge(towards(flow, flow.inInterface, undefined), context);
}

function overBridge(flow: Flow, context: WalkContext): readonly Ended[] {
  const outPort = portOf(onlyValue(flow.packet.destination), context);
  const isBack = outPort !== undefined && outPort === flow.inPort;
  if (isBack && context.input.topology.interfaces.get(outPort)?.isHairpin !== true) {
    return [unroutable(flow, 'hairpin mode off')];
  }
  const onBridge: Flow = { ...flow, isBridged: true, outPort };
  const { alive, ended } = walkHook('forward', onBridge, context);
  return [...ended, ...alive.flatMap((one) => postrouting(one, context))];
}

/** The bridge port of the Pod with this address. */
export function portOf(address: Value | undefined, context: WalkContext): string | undefined {
  const { interfaces } = context.input.topology;
  const port = address === undefined ? undefined : podAt(address, context)?.interface;
  return port !== undefined && interfaces.get(port)?.bridge !== undefined ? port : undefined;
}

function postrouting(flow: Flow, context: WalkContext): readonly Ended[] {
  const { alive, ended } = walkHook('postrouting', flow, context);
  return [
    ...ended,
    ...alive.flatMap((one) => {
      const sent = walkHook('egress', one, context);
      return [...sent.ended, ...sent.alive.flatMap((each) => afterPostrouting(each, context))];
    }),
  ];
}

function afterPostrouting(flow: Flow, context: WalkContext): readonly Ended[] {
  if (flow.outInterface !== 'lo') {
    // IPv6 sends it, and the receiver drops it: there is no setting for ::1 as there is for 127.0.0.1.
    const [source, asked] = [onlyValue(flow.packet.source), onlyValue(flow.entry.destination)];
    const isLedAway = typeof asked === 'bigint' && isLoopback(asked);
    if (isLedAway && source !== undefined && isLoopback(source)) return [unroutable(flow, 'martian')];
    return [{ flow, end: { kind: 'leaves' } }];
  }
  const again: Flow = {
    ...flow,
    leg: 2,
    inInterface: 'lo',
    outInterface: undefined,
    inPort: undefined,
    outPort: undefined,
  };
  return receive(again, context);
}

/** Rules of nat OUTPUT, and of mangle and `type route` chains, make the kernel look for a new route. */
function needsRoute(before: Flow, after: Flow, station: Station): boolean {
  const isOtherWay = before.packet.destination !== after.packet.destination;
  if (station.kind === 'nat') return isOtherWay;
  if (station.kind !== 'chain') return false;
  const { chain } = station;
  const mayReroute = chain.base?.kind === 'route' || chain.table.name === 'mangle';
  return mayReroute && (isOtherWay || before.mark !== after.mark || before.packet.source !== after.packet.source);
}

function reroute(flow: Flow, context: WalkContext): Flow | Ended {
  const routed = routedOut(flow, context);
  if ('end' in routed) return { flow, end: routed.end };
  const source = onlyValue(flow.packet.source);
  const device = routed.outInterface ?? '';
  const isLoopbackV4 = typeof source === 'number' && isLoopback(source);
  if (isLoopbackV4 && device !== 'lo' && !allowsLocalnet(device, context)) {
    return unroutable(flow, 'route_localnet off');
  }
  return { ...flow, newRoute: { device: routed.outInterface, nextHop: routed.nextHop } };
}

function withNewRoute(flow: Flow): Flow {
  const { newRoute } = flow;
  return newRoute === undefined
    ? flow
    : { ...flow, outInterface: newRoute.device, nextHop: newRoute.nextHop, newRoute: undefined };
}

function routeProblem(route: WalkRoute | undefined): string | undefined {
  if (route === undefined) return 'no route';
  switch (route.type) {
    case 'unreachable':
    case 'blackhole':
    case 'prohibit':
      return route.type;
    default:
      return undefined;
  }
}

/** Why the kernel drops a packet when it looks for its route; martians come first. */
function inputProblem(flow: Flow, route: WalkRoute | undefined, context: WalkContext): string | undefined {
  const source = onlyValue(flow.packet.source);
  const destination = onlyValue(flow.packet.destination);
  const device = flow.inInterface ?? '';
  if (source === undefined || device === 'lo') return routeProblem(route);
  const isLooped = isLoopback(source) || (destination !== undefined && isLoopback(destination));
  if (isLooped && !(typeof source === 'number' && allowsLocalnet(device, context))) return 'martian';
  if (isMartianSource(source)) return 'martian';
  const problem = routeProblem(route);
  if (problem !== undefined) return problem;
  const isForwarded = route?.type !== 'local' && route?.type !== 'broadcast';
  if (isForwarded && !flow.isBridged && !isForwarding(flow, context)) return 'forwarding off';
  if (typeof source !== 'number') return undefined;
  if (isLocalAddress(source, context) && confSysctl('accept_local', device, context) !== 1) return 'martian';
  const filter = confSysctl('rp_filter', device, context);
  if (filter === 0) return undefined;
  const back = routeTo({ destinations: flow.packet.source, source: flow.packet.destination, mark: 0 }, context);
  if (back === undefined || (filter === 1 && back.device !== device)) return 'rp_filter';
  return undefined;
}

function isForwarding(flow: Flow, context: WalkContext): boolean {
  const isV6 = typeof flow.packet.source[0]?.first === 'bigint';
  const { sysctls } = context.input.topology;
  if (isV6) return sysctl('net.ipv6.conf.all.forwarding', context) === 1;
  const own = sysctls.get(`net.ipv4.conf.${flow.inInterface}.forwarding`);
  return (own ?? sysctl('net.ipv4.ip_forward', context)) === 1;
}

function allowsLocalnet(device: string, context: WalkContext): boolean {
  return confSysctl('route_localnet', device, context) === 1;
}

/** The greater of the values for all interfaces and for this one. */
function confSysctl(name: string, device: string, context: WalkContext): number {
  const { sysctls } = context.input.topology;
  const own = sysctls.get(`net.ipv4.conf.${device}.${name}`) ?? 0;
  return Math.max(sysctl(`net.ipv4.conf.all.${name}`, context), own);
}

export function isLoopback(address: Value): boolean {
  return typeof address === 'bigint' ? address === 1n : address >>> 24 === 127;
}

function isMartianSource(source: Value): boolean {
  return typeof source === 'bigint'
    ? source >> 120n === 0xffn
    : source === 0 || source === 0xffffffff || source >>> 28 === 0xe;
}

function destinationText(flow: Flow): string {
  const address = onlyValue(flow.packet.destination);
  return address === undefined ? 'the destination' : addressText(address);
}
