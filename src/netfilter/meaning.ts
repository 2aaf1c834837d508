import type { Value, ValueRange } from '../common/ranges/valueRange.ts';
/**
 * What rules match and do, in words that iptables and nft share. The table entry of each match, target and statement
 * gives its meaning; the code that walks packets knows neither syntax.
 */

/** What a packet, or its connection, has one number of. */
export type Field =
  | 'source'
  | 'destination'
  | 'protocol'
  /** Of the connection, which an ICMP error about it has too. */
  | 'connectionProtocol'
  | 'sourcePort'
  | 'destinationPort'
  /** 2: IPv4, 10: IPv6, as NFPROTO_ counts. */
  | 'family'
  | 'tcpFlags'
  | 'icmpType'
  | 'icmpCode'
  | 'mark'
  | 'connectionMark'
  | ConnectionField
  /** Of the packet with its header of IP. */
  | 'length'
  /** Without that of IPv6. */
  | 'payloadLength'
  | 'hopLimit'
  | 'dscp'
  | 'ecn'
  /** Milliseconds until the connection is forgotten. */
  | 'expiration'
  | CountField
  | 'user'
  | 'fragmentOffset'
  /** 0: to this host, 1: broadcast, 2: multicast. */
  | 'packetType';

export type ConnectionField =
  | 'originalSource'
  | 'originalDestination'
  | 'originalSourcePort'
  | 'originalDestinationPort'
  | 'replySource'
  | 'replyDestination'
  | 'replySourcePort'
  | 'replyDestinationPort'
  | 'connectionZone'
  | 'originalZone'
  | 'replyZone';

/** What conntrack counted of the connection, with the packet itself: of both directions together or of one. */
export type CountField = `${'all' | 'original' | 'reply'}${'Packets' | 'Bytes' | 'Average'}`;

export type ConnectionState = 'invalid' | 'new' | 'related' | 'established' | 'untracked';
export type ConnectionStatus = 'snat' | 'dnat' | 'expected' | 'seen-reply' | 'assured' | 'confirmed' | 'dying';
export type InterfaceSide = 'in' | 'out' | 'physin' | 'physout';
export type AddressSide = 'source' | 'destination';
export type RouteType = (typeof routeTypes)[number];

/** RTN_ of the kernel, from 1. */
export const routeTypes = [
  'unicast',
  'local',
  'broadcast',
  'anycast',
  'multicast',
  'blackhole',
  'unreachable',
  'prohibit',
] as const;

/** The name of an interface, or how it begins. */
export interface InterfaceName {
  readonly text: string;
  readonly isPrefix: boolean;
}

/** What is asked. Everything but `always` and `never` may be answered in three ways. */
export type Condition =
  | { readonly kind: 'always' }
  | { readonly kind: 'never' }
  | { readonly kind: 'not'; readonly condition: Condition }
  | { readonly kind: 'all'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'any'; readonly conditions: readonly Condition[] }
  /** The field (under the mask) lies in one of the ranges, which are sorted and apart. A packet without it: no. */
  | {
      readonly kind: 'values';
      readonly field: Field;
      readonly mask?: Value;
      readonly ranges: readonly ValueRange[];
      /** Holds for values out of the ranges; a packet without the field: no, all the same. */
      readonly isOutside?: true;
    }
  | { readonly kind: 'interface'; readonly side: InterfaceSide; readonly names: readonly InterfaceName[] }
  /** The group of the interface that it came in or leaves by. */
  | { readonly kind: 'deviceGroup'; readonly side: 'in' | 'out'; readonly value: number; readonly mask: number }
  /** The type of that interface (ARPHRD_), which a packet without such an interface has not. */
  | { readonly kind: 'deviceType'; readonly side: 'in' | 'out'; readonly ranges: readonly ValueRange[] }
  | { readonly kind: 'hasDevice'; readonly side: 'in' | 'out' }
  /** A route was chosen for the packet, or came with it over lo. */
  | { readonly kind: 'hasRoute' }
  /** The interface by which a route leads to one of the packet's addresses: one of these, or (undefined) any at all. */
  | {
      readonly kind: 'routeDevice';
      readonly end: AddressSide;
      readonly via?: 'in' | 'out';
      readonly usesMark?: true;
      readonly names?: readonly InterfaceName[];
    }
  /** A program of the node has a socket for addresses that are not the node's. */
  | { readonly kind: 'transparentSocket' }
  /** The realm that its route gave it. */
  | { readonly kind: 'realm'; readonly value: number; readonly mask: number }
  | { readonly kind: 'hasPort'; readonly side: 'physin' | 'physout' }
  /** The packet goes from port to port of one bridge. */
  | { readonly kind: 'bridged' }
  | { readonly kind: 'state'; readonly states: readonly ConnectionState[] }
  | { readonly kind: 'status'; readonly statuses: readonly ConnectionStatus[] }
  | { readonly kind: 'direction'; readonly direction: 'original' | 'reply' }
  | {
      readonly kind: 'addressType';
      readonly side: AddressSide;
      readonly types: readonly RouteType[];
      /** Only routes of this interface count. */
      readonly via?: 'in' | 'out';
    }
  /** By chance: `share` of `whole`. */
  | { readonly kind: 'chance'; readonly share: number; readonly whole: number }
  /** Every n-th packet. */
  | { readonly kind: 'inTurn'; readonly every: number; readonly packet: number }
  | RecentCondition
  | {
      readonly kind: 'ipset';
      readonly set: string;
      readonly sides: readonly ('src' | 'dst')[];
      readonly returnsNomatch?: true;
    }
  /** A key is in a set of nft, named or written into the rule. */
  | { readonly kind: 'lookup'; readonly key: Key; readonly set: string | readonly KeyPattern[] }
  | RateCondition
  | {
      readonly kind: 'reversePath';
      readonly isLoose: boolean;
      readonly isInverted: boolean;
      /** The way back is looked for with the mark of the packet. */
      readonly usesMark?: true;
    }
  | { readonly kind: 'localSocket'; readonly text: string }
  | { readonly kind: 'ipvs'; readonly isOf: boolean }
  /** Local senders only: forwarded packets have no owner. */
  | { readonly kind: 'owner'; readonly text: string; readonly user?: ValueRange }
  | { readonly kind: 'time'; readonly options: ReadonlyMap<string, string> }
  | { readonly kind: 'unknown'; readonly text: string };

/** A rate or a number of connections: holds for the first packet unless nothing ever passes. */
export interface RateCondition {
  readonly kind: 'rate';
  readonly text: string;
  readonly isOver: boolean;
  /** As many packets at once, then one every so many milliseconds. */
  readonly bucket?: { readonly burst: number; readonly refill: number; readonly by: readonly Field[] };
}

/** `-m recent`: the list has the address; and what becomes of the list. */
export interface RecentCondition {
  readonly kind: 'recent';
  readonly list: string;
  readonly side: AddressSide;
  readonly action: 'set' | 'rcheck' | 'update' | 'remove';
  readonly seconds?: number;
  readonly hitcount?: number;
  /** Bits of the address that count, from the front. */
  readonly mask?: Value;
}

/** One part of a key, looked up in a set or map. */
export type KeyPart =
  /** `isV6`: names of values are those of ICMPv6. */
  | { readonly kind: 'field'; readonly field: Field; readonly isV6?: true }
  | { readonly kind: 'interface'; readonly side: 'in' | 'out' }
  | { readonly kind: 'state' }
  | { readonly kind: 'addressType'; readonly side: AddressSide; readonly via?: 'in' | 'out' }
  /** Of its route: where it leads, or its destination. */
  | { readonly kind: 'nextHop' }
  | Generator
  | { readonly kind: 'unknown'; readonly text: string };

export type Key = readonly KeyPart[];

/** Numbers from `offset` on, below `modulus` + `offset`. */
export interface Generator {
  readonly kind: 'generator';
  readonly how: 'random' | 'inc' | 'jhash' | 'symhash';
  readonly modulus: number;
  readonly offset: number;
}

/** What one part of an element holds: numbers, or names of interfaces. */
export type PartPattern = ValueRange | InterfaceName;
export type KeyPattern = readonly PartPattern[];

export type PacketVerdict = 'accept' | 'drop' | 'return' | 'continue' | 'queue' | 'stolen';

/** One element of a verdict map or of a map of addresses. */
export interface MapElement<T> {
  readonly key: KeyPattern;
  readonly value: T;
}

export type Branch =
  | { readonly kind: 'verdict'; readonly verdict: PacketVerdict }
  | { readonly kind: 'jump' | 'goto'; readonly chain: string };

/** `tcp-reset`, or an ICMP error of this type and code; for inet rules one a family. */
export type Rejection =
  | { readonly kind: 'reset' }
  | { readonly kind: 'icmp'; readonly v4: readonly [number, number]; readonly v6: readonly [number, number] };

/** Where a translation leads. What is left out stays as it is. */
export interface NatTarget {
  readonly addresses?: ValueRange;
  readonly ports?: ValueRange;
}

/** Where connections of a direction are looked up; `mark`: by the packet's mark. */
export type Zone = number | 'mark';

export interface NatStep {
  readonly kind: 'nat';
  readonly half: 'source' | 'destination';
  /** `masquerade`: to the address of the interface it leaves by; `redirect`: to that of the one it came by; `netmap`: to the same host of another network. */
  readonly to: 'address' | 'masquerade' | 'redirect' | 'netmap';
  readonly target: NatTarget;
  /** The target is looked up. */
  readonly map?: { readonly key: Key; readonly elements: string | readonly MapElement<NatTarget>[] };
  /** Ports are drawn, not kept. */
  readonly isRandom: boolean;
}

/** What rules may change of a header, beside addresses. */
export type HeaderField = 'dscp' | 'ecn' | 'hopLimit';

/** What happens: steps of a rule are taken in order, until a condition does not hold. */
export type Step =
  | { readonly kind: 'ask'; readonly condition: Condition }
  | Branch
  | { readonly kind: 'verdictMap'; readonly key: Key; readonly map: string | readonly MapElement<Branch>[] }
  | { readonly kind: 'reject'; readonly rejection: Rejection }
  /** target = (target & keep) ^ (source & take) ^ flip. */
  | {
      readonly kind: 'assign';
      readonly target: 'mark' | 'connectionMark';
      readonly keep: number;
      readonly source?: 'mark' | 'connectionMark';
      readonly take: number;
      readonly flip: number;
    }
  /** The target becomes what the map has for the key, or the key itself; without an element the rule ends. */
  | {
      readonly kind: 'assignFrom';
      readonly target: 'mark' | 'connectionMark';
      readonly key: Key;
      readonly map?: string | readonly MapElement<number>[];
    }
  /** `unknown`: nobody can tell the new value. */
  | { readonly kind: 'setHeader'; readonly field: HeaderField; readonly value: number | 'unknown' }
  | NatStep
  | { readonly kind: 'notrack' }
  /** Connection tracking looks the packet up in these zones, unless a rule before said where. */
  | { readonly kind: 'zone'; readonly original: Zone; readonly reply: Zone }
  | {
      readonly kind: 'remember';
      readonly operation: 'add' | 'update' | 'delete';
      readonly set: string;
      readonly key: Key;
      /** Milliseconds. */
      readonly timeout?: number;
      /** What each element asks for itself; if that does not hold, the rule ends. */
      readonly limits?: readonly RateCondition[];
      /** Of a map. */
      readonly value?: KeyPart;
    }
  /** Adds to or deletes from an ipset. */
  | {
      readonly kind: 'rememberIpset';
      readonly operation: 'add' | 'delete';
      readonly set: string;
      readonly sides: readonly ('src' | 'dst')[];
    }
  /** Says, counts or changes what no rule asks for here. */
  | { readonly kind: 'note'; readonly text: string }
  /** What it does is not known. */
  | { readonly kind: 'unknown'; readonly text: string };
