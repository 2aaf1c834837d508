import type { Family } from '../common/family.ts';
import type { ConnectionState, Value } from '../netfilter/meaning.ts';

/** One packet that a trace asks about, with everything decided that its asker left open. */
export interface TracePacket {
  readonly family: Family;
  /** Number of the transport protocol. */
  readonly protocol: number;
  readonly source: Value;
  /** Undefined: any. */
  readonly sourcePort: number | undefined;
  readonly destination: Value;
  readonly destinationPort: number | undefined;
  readonly origin: 'local' | 'forwarded';
  readonly inInterface: string | undefined;
  readonly inPort: string | undefined;
  /** Letters of S A F R P U. */
  readonly flags: string | undefined;
  readonly state: ConnectionState | undefined;
  readonly mark: number;
}

/** Names of protocols as options take them, and their numbers. */
export const protocolNumbers: ReadonlyMap<string, number> = new Map([
  ['tcp', 6],
  ['udp', 17],
  ['sctp', 132],
  ['icmp', 1],
  ['icmpv6', 58],
]);

export function protocolName(number: number): string {
  return [...protocolNumbers].find(([, known]) => known === number)?.[0] ?? String(number);
}

export function hasPorts(protocol: number): boolean {
  return protocol === 6 || protocol === 17 || protocol === 132;
}
