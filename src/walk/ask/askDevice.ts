import type { Condition } from '../../netfilter/meaning.ts';
import type { Answer, WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { interfaceOf } from '../interfaceOf.ts';
import { routeTo } from '../routing.ts';
import { unknownAnswer } from './answers.ts';

type Asked<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

/** Conditions on the interfaces of a packet, or on its route. */
export function askDevice(
  flow: Flow,
  condition: Asked<'deviceGroup' | 'realm' | 'deviceType' | 'hasDevice' | 'hasRoute' | 'routeDevice'>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  switch (condition.kind) {
    case 'deviceGroup':
      return askDeviceGroup(flow, condition, rule, context);
    case 'realm':
      return askRealm(flow, condition, rule, context);
    case 'deviceType':
      return askDeviceType(flow, condition, rule, context);
    case 'hasDevice':
      return interfaceOf(flow, condition.side) !== undefined;
    case 'hasRoute':
      return hasRoute(flow);
    case 'routeDevice':
      return askRouteDevice(flow, condition, context);
  }
}

/** `-m devgroup`. If the packet has no such interface, the rule does not match. */
function askDeviceGroup(
  flow: Flow,
  { side, value, mask }: Asked<'deviceGroup'>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const name = interfaceOf(flow, side);
  if (name === undefined) return false;
  const group = context.input.topology.interfaces.get(name)?.group;
  if (group === undefined) return unknownAnswer(flow, `-m devgroup: the group of ${name}`, rule, context);
  return ((group ^ value) & mask) === 0;
}

/** `-m realm`: 0 unless a route sets another one. */
function askRealm(flow: Flow, { value }: Asked<'realm'>, rule: WalkRule, context: WalkContext): Answer {
  const { assumed, hasRealms } = context.input.topology;
  if (assumed.has('routes') || hasRealms) {
    return unknownAnswer(flow, '-m realm: the realm of its route', rule, context);
  }
  return value === 0;
}

/** `meta iiftype`. */
function askDeviceType(
  flow: Flow,
  { side, ranges }: Asked<'deviceType'>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const name = interfaceOf(flow, side);
  if (name === undefined) return false;
  const type = name === 'lo' ? loopback : context.input.topology.interfaces.get(name)?.type;
  if (type === undefined) return unknownAnswer(flow, `the type of the interface ${name}`, rule, context);
  return ranges.some(({ first, last }) => first <= type && type <= last);
}

const loopback = 772;

/** Before routing, only packets from lo have a route. */
export function hasRoute({ hook, leg }: Flow): boolean {
  return hook !== 'prerouting' || leg === 2;
}

/**
 * `fib daddr . mark oifname`: the kernel looks for a route as for its own packet, and finds none for its own addresses.
 */
function askRouteDevice(
  flow: Flow,
  { end, via, usesMark, names }: Asked<'routeDevice'>,
  context: WalkContext,
): boolean {
  const found = routeDeviceOf(flow, end, via, usesMark === true, context);
  if (names === undefined) return found !== undefined;
  return names.some(({ text, isPrefix }) => (isPrefix ? (found ?? '').startsWith(text) : found === text));
}

function routeDeviceOf(
  flow: Flow,
  end: 'source' | 'destination',
  via: 'in' | 'out' | undefined,
  usesMark: boolean,
  context: WalkContext,
): string | undefined {
  const { packet, mark, hook } = flow;
  if (hook === 'prerouting' && flow.inInterface === 'lo') return 'lo';
  const question = {
    destinations: packet[end],
    source: packet[end === 'source' ? 'destination' : 'source'],
    mark: usesMark ? mark : 0,
  };
  const route = routeTo(question, context);
  if (route?.type !== 'unicast') return undefined;
  return via === undefined || interfaceOf(flow, via) === route.device ? route.device : undefined;
}
