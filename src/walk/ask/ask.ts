import { ascending } from '../../common/ascending.ts';
import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { cut, onlyValue, single, type ValueSet } from '../../common/ranges/valueSet.ts';
import { and } from '../../netfilter/addressRanges.ts';
import type { Condition, InterfaceName, Key, RouteType } from '../../netfilter/meaning.ts';
import { isPluginInterface } from '../../node/programs/foreignPrograms.ts';
import type { Answer, FlowPart, WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { interfaceOf } from '../interfaceOf.ts';
import { podAt } from '../podAt.ts';
import { addressTypes } from './addressTypes.ts';
import { byChance, unknownAnswer } from './answers.ts';
import { askDevice } from './askDevice.ts';
import { askRate } from './askRate.ts';
import { estimated } from './estimated.ts';
import { inIpset } from './inIpset.ts';
import { isTranslated } from './isTranslated.ts';
import { lookInto } from './lookInto.ts';
import { type FieldPlace, fieldPlace, isUntold, narrowed, valuesAt } from './narrow.ts';
import { readsChecksum } from './readsChecksum.ts';
import { askRecent } from './recent.ts';
import { reversePathHolds } from './reversePathHolds.ts';
import { timeHolds } from './timeHolds.ts';

/** Checks a condition of a flow: it holds, it does not, or parts of the flow have different answers. */
export function ask(flow: Flow, condition: Condition, rule: WalkRule, context: WalkContext): Answer {
  switch (condition.kind) {
    case 'always':
      return true;
    case 'never':
      return false;
    case 'not':
      return opposite(ask(flow, condition.condition, rule, context));
    case 'all':
      return inRow(flow, condition.conditions, rule, context, true);
    case 'any':
      return inRow(flow, condition.conditions, rule, context, false);
    case 'values':
      return askValues(flow, condition, rule, context);
    case 'interface':
      return askInterface(flow, condition, rule, context);
    case 'deviceGroup':
    case 'realm':
    case 'deviceType':
    case 'hasDevice':
    case 'hasRoute':
    case 'routeDevice':
      return askDevice(flow, condition, rule, context);
    case 'hasPort':
      return condition.side === 'physin' ? flow.inPort !== undefined : isOnBridge(flow);
    case 'bridged':
      return isOnBridge(flow);
    case 'state':
      return condition.states.includes(flow.zone === undefined ? flow.connection.state : 'new');
    case 'status':
      return condition.statuses.some((status) => hasStatus(flow, status));
    case 'direction':
      return (flow.zone === undefined ? flow.connection.direction : 'original') === condition.direction;
    case 'addressType':
      return askAddressType(flow, condition, context);
    case 'chance':
      return byChance(flow, condition.share, condition.whole, { rule, kind: 'statistic' });
    case 'inTurn':
      return inTurn(flow, condition.every, rule, context);
    case 'recent':
      return askRecent(flow, condition, rule, context);
    case 'ipset':
      return inIpset(flow, condition, rule, context);
    case 'lookup':
      return inSet(flow, condition, rule, context);
    case 'rate':
      return askRate(flow, condition, rule, context);
    case 'reversePath':
      return reversePathHolds(flow, condition, context) !== condition.isInverted;
    case 'localSocket':
      return flow.origin === 'forwarded' ? false : unknownAnswer(flow, condition.text, rule, context);
    case 'transparentSocket':
      return isTransparent(context);
    case 'ipvs':
      return (flow.isOfIpvs === true) === condition.isOf;
    case 'owner':
      return askOwner(flow, condition, rule, context);
    case 'time':
      return askTime(flow, condition, rule, context);
    case 'unknown':
      return unknownAnswer(flow, condition.text, rule, context);
  }
}

function inTurn(flow: Flow, every: number, rule: WalkRule, { notes }: WalkContext): Answer {
  notes.notes.add('packets take turns, not chances: each share is what many connections come to');
  return byChance(flow, 1, every, { rule, kind: 'nth' });
}

function isTransparent({ notes }: WalkContext): false {
  notes.assumed.add('sockets: no program of the node has one for addresses that are not its own');
  return false;
}

function askTime(
  flow: Flow,
  { options }: Extract<Condition, { kind: 'time' }>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const holds = context.at && timeHolds(options, context.at);
  return holds ?? unknownAnswer(flow, context.at ? '-m time' : '-m time, without --at', rule, context);
}

function opposite(answer: Answer): Answer {
  return typeof answer === 'boolean' ? !answer : answer.map(({ flow, holds }) => ({ flow, holds: !holds }));
}

/**
 * Conditions from left to right until one decides: in `all` the first that does not hold, in `any` the first that does.
 */
function inRow(
  flow: Flow,
  conditions: readonly Condition[],
  rule: WalkRule,
  context: WalkContext,
  isAll: boolean,
): Answer {
  for (const [at, condition] of conditions.entries()) {
    const answer = ask(flow, condition, rule, context);
    if (answer === isAll) continue;
    if (typeof answer === 'boolean') return !isAll;
    const rest = conditions.slice(at + 1);
    return answer.flatMap((part): readonly FlowPart[] => {
      if (part.holds !== isAll || rest.length === 0) return [part];
      const further = inRow(part.flow, rest, rule, context, isAll);
      return typeof further === 'boolean' ? [{ flow: part.flow, holds: further }] : further;
    });
  }
  return isAll;
}

function askValues(
  flow: Flow,
  condition: Extract<Condition, { kind: 'values' }>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const { field, mask, ranges, isOutside } = condition;
  const place = fieldPlace(flow, field);
  if (place === undefined) {
    const range = isUntold(field) ? estimated(flow, field, context) : undefined;
    const between = range && asked([range], ranges, mask);
    if (between !== undefined) return between !== (isOutside === true);
    if (isUntold(field)) return unknownAnswer(flow, `${field} of the packet`, rule, context);
    return readsChecksum(flow, field) ? unknownAnswer(flow, 'th dport of ICMP, its checksum', rule, context) : false;
  }
  const values = valuesAt(flow, place);
  const value = onlyValue(values);
  if (value !== undefined) {
    const seen = mask === undefined ? value : and(value, mask);
    // A rule of the other family's addresses, in a table of both: never.
    if (typeof ranges[0]?.first !== typeof seen) return false;
    return ranges.some(({ first, last }) => first <= seen && seen <= last) !== (isOutside === true);
  }
  if (mask !== undefined) return unknownAnswer(flow, `${field} under a mask`, rule, context);
  const { inside, outside } = cut(values, ranges);
  if (inside.length === 0) return isOutside === true;
  if (outside.length === 0) return isOutside !== true;
  return [
    { flow: narrowed(flow, place, inside), holds: isOutside !== true },
    { flow: narrowed(flow, place, outside), holds: isOutside === true },
  ];
}

/** Whether the range contains a number that the condition accepts; undefined: some numbers, but not all. */
function asked(between: ValueSet, ranges: readonly ValueRange[], mask: Value | undefined): boolean | undefined {
  const value = onlyValue(between);
  if (mask !== undefined && value === undefined) return undefined;
  const values = mask === undefined || value === undefined ? between : single(and(value, mask));
  const { inside, outside } = cut(values, ranges);
  return inside.length === 0 ? false : outside.length === 0 ? true : undefined;
}

/** If a Pod's interface was only assumed, a rule for interfaces of Pods may still match: that is noted. */
function askInterface(
  flow: Flow,
  { side, names }: Extract<Condition, { kind: 'interface' }>,
  rule: WalkRule,
  context: WalkContext,
): boolean {
  const holds = matchesName(interfaceOf(flow, side), names);
  const { assumed } = context.input.topology;
  const isAssumed = assumed.has('interfaces') || assumed.has('routes');
  if (!holds && isAssumed && names.some(({ text }) => isPluginInterface(text))) {
    const end = onlyValue(side === 'in' || side === 'physin' ? flow.packet.source : flow.packet.destination);
    if (end !== undefined && mayBePod(end, context)) context.notes.unseenInterfaces.add(rule);
  }
  return holds;
}

/** The address belongs to a known Pod, or is in the range of Pods. */
function mayBePod(address: Value, context: WalkContext): boolean {
  const { podRanges = [] } = context.input.topology;
  return (
    podRanges.some(({ first, last }) => first <= address && address <= last) || podAt(address, context) !== undefined
  );
}

/** The port that it leaves by is known from FORWARD on. */
function isOnBridge({ isBridged, hook }: Flow): boolean {
  return isBridged && (hook === 'forward' || hook === 'postrouting');
}

function matchesName(name: string | undefined, patterns: readonly InterfaceName[]): boolean {
  return patterns.some(({ text, isPrefix }) => (isPrefix ? (name ?? '').startsWith(text) : name === text));
}

function hasStatus(flow: Flow, status: string): boolean {
  const { connection } = flow;
  if (flow.zone !== undefined) return status === 'confirmed';
  if (connection.state === 'invalid' || connection.state === 'untracked') return false;
  switch (status) {
    case 'dnat':
      return isTranslated(connection, 'destination');
    case 'snat':
      return isTranslated(connection, 'source');
    case 'seen-reply':
      return connection.hasSeenReply;
    case 'assured':
      return connection.isKnown && isEstablishedTcp(flow);
    case 'confirmed':
      // Packets that return by lo have passed POSTROUTING; an error there confirms nothing.
      return connection.isKnown || (flow.leg === 2 && connection.direction === 'original');
    default:
      return false;
  }
}

/**
 * The reply to the first packet does not assure a connection, but the packet after it does; other protocols take
 * longer.
 */
function isEstablishedTcp({ packet }: Flow): boolean {
  return onlyValue(packet.protocol) === 6 && ((packet.tcpFlags ?? 0) & syn) === 0;
}

const syn = 2;

function askAddressType(
  flow: Flow,
  condition: Extract<Condition, { kind: 'addressType' }>,
  context: WalkContext,
): Answer {
  const place: FieldPlace = { kind: 'packet', dimension: condition.side };
  const types = addressTypes(flow, condition.side, condition.via, context);
  let left = valuesAt(flow, place);
  const isUnicast = condition.types.includes('unicast');
  const wanted: ValueSet[] = [];
  for (const [type, ranges] of types) {
    const { inside, outside } = cut(left, ranges);
    if (condition.types.includes(type as RouteType)) wanted.push(inside);
    left = outside;
  }
  if (isUnicast) wanted.push(left);
  const yes = wanted.flat();
  if (yes.length === 0) return false;
  const sorted = yes.length === 1 ? yes : [...yes].sort((a, b) => ascending(a.first, b.first));
  const { inside, outside } = cut(valuesAt(flow, place), sorted);
  if (outside.length === 0) return true;
  return [
    { flow: narrowed(flow, place, inside), holds: true },
    { flow: narrowed(flow, place, outside), holds: false },
  ];
}

function askOwner(
  flow: Flow,
  condition: Extract<Condition, { kind: 'owner' }>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const hook = rule.chain.base?.hook;
  if (flow.origin === 'forwarded' || flow.leg === 2 || hook === 'prerouting' || hook === 'input') return false;
  const { user } = context;
  if (user === undefined || condition.user === undefined) return unknownAnswer(flow, condition.text, rule, context);
  return condition.user.first <= user && user <= condition.user.last;
}

function inSet(
  flow: Flow,
  condition: Extract<Condition, { kind: 'lookup' }>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const found = lookInto(flow, condition.key, condition.set, () => true, rule, context);
  if (found === undefined) return unknownAnswer(flow, setText(condition.set, condition.key), rule, context);
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0 && first.flow === flow) return first.element !== undefined;
  return found.map(({ flow: part, element }) => ({ flow: part, holds: element !== undefined }));
}

function setText(set: string | readonly unknown[], key: Key): string {
  const unread = key.flatMap((part) => (part.kind === 'unknown' ? [part.text] : []));
  return `${unread.length > 0 ? unread.join(' . ') : 'a key'} in ${typeof set === 'string' ? `@${set}` : 'a set'}`;
}
