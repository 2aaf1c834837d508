import type { Value } from '../../common/ranges/valueRange.ts';
import { nothing, single, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { Field } from '../../netfilter/meaning.ts';
import type { Flow, Packet, Tuple } from '../flow.ts';
import { copyOfFlow } from '../flowShape.ts';

/** Where a flow has a field; undefined: the packet lacks it. */
export type FieldPlace =
  | { readonly kind: 'packet'; readonly dimension: Dimension }
  | { readonly kind: 'entry'; readonly dimension: Dimension }
  | { readonly kind: 'fixed'; readonly values: ValueSet };

export type Dimension = 'source' | 'destination' | 'protocol' | 'sourcePort' | 'destinationPort';

/** The values of a field, and what has to shrink if only some of them go on. */
export function fieldPlace(flow: Flow, field: Field): FieldPlace | undefined {
  switch (field) {
    case 'source':
    case 'destination':
    case 'protocol':
      return { kind: 'packet', dimension: field };
    case 'connectionProtocol': {
      const { state, protocol } = flow.connection;
      if (flow.zone !== undefined) return fixed(0);
      if (state === 'untracked' || state === 'invalid') return undefined;
      return protocol === undefined ? { kind: 'packet', dimension: 'protocol' } : { kind: 'fixed', values: protocol };
    }
    case 'sourcePort':
    case 'destinationPort':
      return flow.packet[field] === undefined ? undefined : { kind: 'packet', dimension: field };
    case 'family':
      return fixed(typeof flow.packet.source[0]?.first === 'bigint' ? 10 : 2);
    case 'mark':
      return fixed(flow.mark);
    case 'connectionMark':
      if (flow.zone !== undefined) return fixed(0);
      return flow.connection.state === 'untracked' || flow.connection.state === 'invalid'
        ? undefined
        : fixed(flow.connection.mark);
    case 'tcpFlags':
      return fixed(flow.packet.tcpFlags);
    case 'icmpType':
      return fixed(flow.packet.icmp?.type);
    case 'icmpCode':
      return fixed(flow.packet.icmp?.code);
    case 'fragmentOffset':
    case 'packetType':
      return fixed(0);
    case 'dscp':
    case 'ecn':
      return fixed(flow.header?.[field] === 'unknown' ? undefined : flow.header?.[field]);
    case 'connectionZone':
    case 'originalZone':
    case 'replyZone':
      return zonePlace(flow, field);
    case 'user':
      return undefined;
    default:
      return isEstimated(field) ? undefined : connectionPlace(flow, field);
  }
}

/** Fields that a trace says nothing about. */
export function isUntold(field: Field): boolean {
  return field === 'dscp' || field === 'ecn' || field === 'user' || isEstimated(field);
}

/** Numbers that a question does not give, but whose bounds are known. */
function isEstimated(field: Field): boolean {
  return (
    field === 'length' ||
    field === 'payloadLength' ||
    field === 'hopLimit' ||
    field === 'expiration' ||
    /^(?:all|original|reply)(?:Packets|Bytes|Average)$/.test(field)
  );
}

/** For a packet that was not looked up yet, the zone that a rule gave it. */
function zonePlace(flow: Flow, field: 'connectionZone' | 'originalZone' | 'replyZone'): FieldPlace | undefined {
  const { state } = flow.connection;
  const template = flow.zone;
  if (template === undefined && (state === 'invalid' || state === 'untracked')) return undefined;
  const { original, reply } = template ?? flow.connection.zone ?? { original: 0, reply: 0 };
  const id = field === 'originalZone' ? original : field === 'replyZone' ? reply : original === 0 ? reply : original;
  return fixed(id === 'mark' ? flow.mark & 0xffff : id);
}

export function valuesAt(flow: Flow, place: FieldPlace): ValueSet {
  if (place.kind === 'fixed') return place.values;
  return (place.kind === 'packet' ? flow.packet : flow.entry)[place.dimension] ?? [];
}

/** The flow restricted to these values; the original packet is restricted in the same way. */
export function narrowed(flow: Flow, place: FieldPlace, values: ValueSet): Flow {
  if (place.kind === 'fixed') return flow;
  const { dimension } = place;
  const isSame = flow.packet[dimension] === flow.entry[dimension];
  const packet = place.kind === 'packet' || isSame ? withDimension(flow.packet, dimension, values) : flow.packet;
  const entry = place.kind === 'entry' || isSame ? withDimension(flow.entry, dimension, values) : flow.entry;
  const next = copyOfFlow(flow);
  next.packet = packet;
  next.entry = entry;
  return next;
}

/** Both directions of the packet's connection, with the translations that are decided so far. */
export function originalTuple(flow: Flow): Tuple {
  return flow.connection.original ?? flow.entry;
}

export function replyTuple(flow: Flow): Tuple {
  const original = originalTuple(flow);
  const { destinationBinding: destination, sourceBinding: source } = flow.connection;
  return {
    source: destination?.address === undefined ? original.destination : single(destination.address),
    destination: source?.isAddressUnknown
      ? nothing
      : source?.address === undefined
        ? original.source
        : single(source.address),
    sourcePort: bound(original.destinationPort, destination?.port),
    destinationPort: bound(original.sourcePort, source?.port),
  };
}

function bound(ports: ValueSet | undefined, port: number | undefined): ValueSet | undefined {
  return ports === undefined || port === undefined ? ports : single(port);
}

function connectionPlace(flow: Flow, field: string): FieldPlace | undefined {
  const { state, original } = flow.connection;
  if (flow.zone !== undefined) return { kind: 'fixed', values: single(noneOf(flow, field)) };
  if (state === 'invalid' || state === 'untracked') return undefined;
  const isOriginal = field.startsWith('original');
  const name = field.slice(isOriginal ? 'original'.length : 'reply'.length);
  const dimension = `${name.charAt(0).toLowerCase()}${name.slice(1)}` as keyof Tuple;
  if (isOriginal && original === undefined) {
    return flow.entry[dimension] === undefined ? undefined : { kind: 'entry', dimension };
  }
  const values = (isOriginal ? originalTuple(flow) : replyTuple(flow))[dimension];
  return values === undefined ? undefined : { kind: 'fixed', values };
}

/** Address or port of a connection that does not exist yet. */
function noneOf(flow: Flow, field: string): Value {
  return !field.endsWith('Port') && typeof flow.packet.source[0]?.first === 'bigint' ? 0n : 0;
}

function fixed(value: number | undefined): FieldPlace | undefined {
  return value === undefined ? undefined : { kind: 'fixed', values: single(value) };
}

function withDimension(packet: Packet, dimension: Dimension, values: ValueSet): Packet {
  return { ...packet, [dimension]: values };
}
