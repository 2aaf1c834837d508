import type { Family } from '../../common/addresses/family.ts';

/** One connection as the kernel tracks it: the packets that opened it, and those that answer. */
export interface ConntrackFlow {
  readonly kind: 'flow';
  readonly family: Family;
  /** Number of the transport protocol: 6, 17, 132. */
  readonly protocol: number;
  readonly original: FlowSide;
  /** Its source is where the packets really go: another one than the original destination is a translation. */
  readonly reply: FlowSide;
  /** Of TCP: `SYN_SENT`. */
  readonly state?: string;
  /** No packet of the reply's direction was seen yet. */
  readonly isUnreplied: boolean;
  /** A zone other than 0, in either direction: an entry of somebody else than kube-proxy, of Open vSwitch mostly. */
  readonly isInZone: boolean;
  /** Line of the text, from 1. */
  readonly line: number;
}

/** Canonical addresses; ports are 0 for protocols without. */
export interface FlowSide {
  readonly source: string;
  readonly destination: string;
  readonly sourcePort: number;
  readonly destinationPort: number;
}
