import type { Value } from '../common/ranges/valueRange.ts';
import type { ValueSet } from '../common/ranges/valueSet.ts';
import type { ConnectionState, HeaderField, Zone } from '../netfilter/meaning.ts';
import type { Hook, WalkChain, WalkRule, WalkServer } from './input/walkInput.ts';
import type { Fraction } from './values/fraction.ts';
import type { Trail } from './values/trail.ts';

/**
 * A set of packets on its way: the walk follows it. Dimensions of the packet are sets; everything that the way decides
 * is a single value. A condition that divides the set makes two flows. A trace is a flow of one packet.
 */
export interface Flow {
  /** As it is now. */
  readonly packet: Packet;
  /** As it arrived, without what went other ways. */
  readonly entry: Packet;
  readonly origin: 'local' | 'forwarded';
  readonly hook: Hook;
  readonly leg: 1 | 2;
  readonly inInterface?: string | undefined;
  readonly outInterface?: string | undefined;
  readonly inPort?: string | undefined;
  readonly outPort?: string | undefined;
  /** It goes from port to port of a bridge. */
  readonly isBridged: boolean;
  readonly nextHop?: Value | undefined;
  /** A packet of the node itself that was rerouted: rules of OUTPUT still see the old device. */
  readonly newRoute?: { readonly device: string | undefined; readonly nextHop: Value | undefined } | undefined;
  readonly mark: number;
  /**
   * Where rules have connection tracking look for the packet. Before that, rules see the pattern of a connection: new,
   * confirmed, without addresses.
   */
  readonly zone?: FlowZone | undefined;
  readonly connection: FlowConnection;
  /** Which share of all packets goes this way; undefined: a condition with an unknown answer is on the way. */
  readonly share: Fraction | undefined;
  readonly choices: Trail<Choice> | undefined;
  readonly path: Trail<WalkEvent> | undefined;
  readonly memory: Trail<Memory> | undefined;
  /** What this way takes sets for that nothing shows: the same question has the same answer. */
  readonly supposed: Trail<Supposed> | undefined;
  /** What rules set in its header; a hop limit as it would have arrived. */
  readonly header?: Readonly<Partial<Record<HeaderField, number | 'unknown'>>> | undefined;
  /** IPVS sent it on. */
  readonly isOfIpvs?: true | undefined;
}

export interface Packet {
  readonly source: ValueSet;
  readonly destination: ValueSet;
  readonly protocol: ValueSet;
  /** Undefined: the packet has no ports. */
  readonly sourcePort: ValueSet | undefined;
  readonly destinationPort: ValueSet | undefined;
  readonly tcpFlags: number | undefined;
  readonly icmp: { readonly type: number; readonly code: number } | undefined;
}

/** One for each direction: 0 unless a rule set another one. */
export interface FlowZone {
  readonly original: Zone;
  readonly reply: Zone;
}

/** The packet's entry in the table of connections, as far as it is decided. */
export interface FlowConnection {
  /** `invalid` until it was looked up. */
  readonly state: ConnectionState;
  /** What looking it up finds. */
  readonly found: ConnectionState;
  readonly direction: 'original' | 'reply';
  readonly original: Tuple | undefined;
  /** For an error about a packet: the packet's own state. */
  readonly protocol?: ValueSet | undefined;
  /** Where the destination is translated to; its presence counts as bound, even if nothing changes. */
  readonly destinationBinding: Binding | undefined;
  readonly sourceBinding: Binding | undefined;
  readonly mark: number;
  readonly hasSeenReply: boolean;
  /** The server that IPVS chose. */
  readonly ipvsServer?: WalkServer | undefined;
  /** Where it is kept, if not in the usual zone. */
  readonly zone?: { readonly original: number; readonly reply: number } | undefined;
  /** What was counted for it; undefined: it was known before, with an unknown count. */
  readonly counts?: ConnectionCounts | undefined;
  /** The node already knew it. */
  readonly isKnown: boolean;
  /** For an error about an untracked packet: rules cannot set it to untracked again. */
  readonly isSettled?: true | undefined;
}

export interface ConnectionCounts {
  readonly original: PacketCount;
  readonly reply: PacketCount;
}

/** Packets, and how many bytes they have at least and at most. */
export interface PacketCount {
  readonly packets: number;
  readonly least: number;
  readonly most: number;
}

export interface Tuple {
  readonly source: ValueSet;
  readonly destination: ValueSet;
  readonly sourcePort: ValueSet | undefined;
  readonly destinationPort: ValueSet | undefined;
}

/** Undefined parts are not translated. */
export interface Binding {
  readonly address?: Value;
  readonly port?: number;
  /** It is translated to an unknown address. */
  readonly isAddressUnknown?: true;
  /** The kernel draws the port. */
  readonly isPortDrawn?: true;
}

export interface Choice {
  readonly rule?: WalkRule;
  readonly name?: string;
  readonly kind: 'statistic' | 'nth' | 'numgen' | 'jhash' | 'limit' | 'affinity' | 'ipvs' | 'range';
  readonly taken: boolean;
}

export type EventVerdict =
  | 'accept'
  | 'drop'
  | 'jump'
  | 'goto'
  | 'return'
  | 'continue'
  | 'end'
  | 'policy'
  | 'queue'
  | 'stolen';

export interface WalkEvent {
  readonly hook: Hook;
  readonly leg: 1 | 2;
  readonly chain: WalkChain;
  /** Undefined: the end of the chain, or its policy. */
  readonly rule: WalkRule | undefined;
  readonly verdict: EventVerdict;
  readonly target?: string | undefined;
  readonly policy?: 'accept' | 'drop' | undefined;
  readonly action?: string | undefined;
  readonly mark: number;
}

/** A question about a set whose members are unknown, and its answer on this way. */
export interface Supposed {
  readonly set: string;
  readonly question: string;
  readonly holds: boolean;
}

/** What a packet left in a list or set. */
export interface Memory {
  /** `recent LIST`, `set FAMILY TABLE NAME`, `ipset NAME`. */
  readonly list: string;
  readonly key: string;
  /** Milliseconds on the walk's clock; undefined: it was taken out. */
  readonly at: number | undefined;
  /** For a map: the value of the key. */
  readonly value?: string;
}
